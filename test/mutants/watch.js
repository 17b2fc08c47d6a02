import { broken } from './broken.js';

/** Rules of the watch, of alarms and of canaries. */
export default [
  ...broken('src/alarms/alarms.service.ts', 'e2e alarms hears nothing', {
    'operators hear first that the whole service is silent': [
      'isOver || !isHeldBack || !isOfSilence(alarm.code)',
      'true',
    ],
  }),
  ...broken('src/alarms/alarms.service.ts', 'e2e alarms', {
    'owners are told of nothing that began long ago':
      '.filter(({ since }) => !since || ageAt(now, since) < NEWS_MS)',
    'owners of forms that are off are told of nothing': [
      "watches.get(id)?.level !== 'off'",
      'true',
    ],
  }),
  ...broken('src/alarms/form-alarms.repository.ts', 'e2e alarms', {
    'owners are told of a silence once': [
      '{ formId, code, toldAt: IsNull() },',
      '{ formId, code },',
    ],
  }),
  ...broken('src/intake/intake.ts', 'e2e canary-probes', {
    'a probe that the form refuses is no refusal of a visitor': [
      'if (answer.form && !probe && isOfSender(error))',
      'if (answer.form && isOfSender(error))',
    ],
  }),
  ...broken('src/submissions/storage/probes.service.ts', 'e2e canary-probes', {
    'the header of a probe is good for its own form alone': [
      'if (payload?.subarray(ID_BYTES).toString() !== address) return null;',
      'if (!payload) return null;',
    ],
  }),
  ...broken('src/watch/model/signs.ts', 'e2e watch', {
    'a flood of spam beside submissions as ever is no turned verdict': [
      'now.submissions < usual / 2',
      'true',
    ],
  }),
  ...broken('src/watch/rhythm/learner.ts', 'e2e watch', {
    'a form with a history that is too short is taken for dead at no time': [
      'if (last === null || !this.isReady) return null;',
      'if (last === null) return null;',
    ],
  }),
  ...broken('src/watch/watcher.ts', 'e2e watch', {
    'a form that is paused is not taken for dead': [
      "if (level === 'off' || !isOpen) {",
      "if (level === 'off') {",
    ],
    'silence counts from when a form opens again': 'if (wasOff) watch.watchedFrom = now;',
  }),
];
