// Whether a text is one that ralphex itself ships or shipped (all versions up to c36bfdc), by its digest: older versions
// put copies into the user’s folder, which nobody has written. Pure.
import { createHash } from 'node:crypto';

/** The first 10 hex digits of the SHA-256 of each, without leading comments. */
const digests: ReadonlySet<string> = new Set(
  `
  01eb88def0 0748cb5fd6 12f350bf52 133730bf6e 18010d8ec5 184deab489 1c46fe75ba 1d3665f26e 1e9a0c15ef
  212328ad19 256c8a4b00 2594c522db 2653ef41a7 2678f95dd4 274f5708d1 2d51135505 2f0896472c 307201981d
  3302b22e68 360f3333b5 36c316e238 3997485079 3a05e88436 41c05add8a 451052439e 45dc7d5053 5212996514
  583e7d1876 586726c138 5b7a4136c3 5d9363e2fd 60a8f9062a 6531d67573 65990cac8a 66c3b0c801 676eaef410
  699532a2b0 6c1c79164f 71bae8cb73 72b6dee9d4 76ea1ece95 771fcce544 7974580b72 7d176a3565 83253f6a52
  8390e0a7f8 83e0da80c6 857ee0bece 8c73b700e2 8e92a5d0df 8ed431aca4 934e78bb72 9451e416ee 95e5e16c55
  985f905a7d 98b29887ea 9a4ab3abc8 a007d218a3 a009b79800 a148921d46 a1f7e8f27a a20b29b13f a2e1e0a823
  a3fcd7b20a a49ea327e6 a59e084c67 ad01c4b159 af1301c00d b571e98530 b64f7e965d be16f7e9e6 c0b4f561c7
  c16e7c4464 c53e630348 c8d555a98e c9a6089bb5 cfd4fb3aa3 d01e767d9b d0c1c2d80f d6241e0f04 d951ae095f
  dfb28ba55e e20a16d018 e2eebd5d9e e38e93c8b3 e76ceca280 ebef3b65b1 ed3f464277 f066d7e7c0 f2f10c8ee5
  f39263e593 f535487566 f9d21227bd
`
    .trim()
    .split(/\s+/),
);

export function isRalphexOwn(text: string): boolean {
  return digests.has(digestText(text));
}

export function isPersons(text: string): boolean {
  return withoutNotes(text) !== '' && !isRalphexOwn(text);
}

/** The digest that identifies a text, ignoring line endings and leading comments. */
export function digestText(text: string): string {
  return createHash('sha256').update(withoutNotes(text)).digest('hex').slice(0, 10);
}

/** A text without its leading comment lines, trimmed; LF only. */
export function withoutNotes(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/^\uFEFF?(?:[ \t]*(?:#[^\n]*)?(?:\n|$))+/, '')
    .trim();
}
