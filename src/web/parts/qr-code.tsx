import { encode } from 'uqr';

/** Draws a QR code; with `file`, a name without its ending, it can be downloaded. */
export function QrCode({ text, alt, file }: { text: string; alt: string; file?: string }) {
  const address = `data:image/svg+xml,${encodeURIComponent(qrCodeOf(text))}`;
  const image = <img src={address} width="200" height="200" alt={alt} />;
  if (file === undefined) return image;
  return (
    <>
      <p>{image}</p>
      <p>
        <a href={address} download={`${file}.svg`}>
          Download the QR code
        </a>
      </p>
    </>
  );
}

/** Returns a QR code as SVG, in lines from left to right: a square for each module takes five times the bytes. */
function qrCodeOf(text: string) {
  const { data, size } = encode(text, { border: 2 });
  const lines = data.flatMap((row, y) => {
    const modules = row.map((isDark) => (isDark ? 'x' : ' ')).join('');
    return [...modules.matchAll(/x+/g)].map(({ index, 0: run }) => `M${index} ${y}h${run.length}`);
  });
  const sheet = `<path fill="#fff" d="M0-.5h${size}v${size}H0z"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -.5 ${size} ${size}">${sheet}<path stroke="#000" d="${lines.join('')}"/></svg>`;
}
