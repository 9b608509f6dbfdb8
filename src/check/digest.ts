// SHA-256 of a text, so that pure files can tell contents apart: they import no `node:crypto`, and WebCrypto is
// asynchronous. It guards no secret.

/** SHA-256 of the text's UTF-8 bytes, in lower-case hex. */
export function digestText(text: string): string {
  const bytes = padded(new TextEncoder().encode(text));
  const state = Uint32Array.from(initial);
  const schedule = new Uint32Array(64);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length; at += 64) {
    for (let i = 0; i < 16; i += 1) schedule[i] = view.getUint32(at + i * 4);
    mixBlock(state, schedule);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

const primes = firstPrimes(64);
const initial = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const constants = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));

function mixBlock(state: Uint32Array, w: Uint32Array): void {
  for (let i = 16; i < 64; i += 1) {
    const [x, y] = [at(w, i - 15), at(w, i - 2)];
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    w[i] = at(w, i - 16) + s0 + at(w, i - 7) + s1;
  }
  let [a, b, c, d, e, f, g, h] = Array.from(state) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + at(constants, i) + at(w, i)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = at(state, i) + word;
  });
}

function padded(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  new DataView(whole.buffer).setBigUint64(whole.length - 8, BigInt(bytes.length) * 8n);
  return whole;
}

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

/** The first 32 bits after the point. */
function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0;
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
const at = (words: Uint32Array, i: number): number => words[i] ?? 0;
