import { ValidateBy } from 'class-validator';
import { Setting } from './setting.decorator.js';
import { parseWebUrl } from '../kernel/text/parse-url.js';

const HttpUrl = () =>
  ValidateBy({
    name: 'http_url',
    validator: {
      validate: (value) => parseWebUrl(value) !== null,
      defaultMessage: () =>
        'must be an absolute http or https address, such as https://www.recaptcha.net/recaptcha/api/siteverify',
    },
  });

/** Holds where the tokens of captchas are verified: another region or mirror of a provider, or a proxy. */
export class CaptchaSettings {
  @Setting('CAPTCHA_TURNSTILE_URL')
  @HttpUrl()
  readonly turnstileUrl: string = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';

  @Setting('CAPTCHA_HCAPTCHA_URL')
  @HttpUrl()
  readonly hcaptchaUrl: string = 'https://api.hcaptcha.com/siteverify';

  @Setting('CAPTCHA_RECAPTCHA_URL')
  @HttpUrl()
  readonly recaptchaUrl: string = 'https://www.google.com/recaptcha/api/siteverify';

  @Setting('CAPTCHA_FRIENDLY_CAPTCHA_URL')
  @HttpUrl()
  readonly friendlyCaptchaUrl: string = 'https://global.frcapi.com/api/v2/captcha/siteverify';
}
