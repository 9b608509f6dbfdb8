import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ErrandEnd } from '../../src/process/launch-shell.ts';
import { type Errand, errandScript, type Input, readEnd, splitCode } from '../../src/process/launch-text.ts';
import { createLauncher } from '../../src/process/launcher.ts';

const base = { PATH: '/usr/bin:/bin', WORD: "it's" };
const launcher = createLauncher(base);
const never = new AbortController().signal;
const plain = { file: '/bin/sh', args: [], cwd: '/', env: base };

async function run(errand: Partial<Errand>, stop = never): Promise<ErrandEnd> {
  const end = launcher.launch([{ ...plain, ...errand }], { stop });
  if (!end) throw new Error('not launched');
  return end;
}

const sh = (script: string, more: Partial<Errand> = {}) => run({ args: ['-c', script], ...more });

describe('createLauncher', () => {
  test.each([0, 1, 2, 128, 129])('tells both outputs and exit code %i', async (code) => {
    const { stdout, stderr, ...end } = await sh(`printf 'out 123'; printf 'err 456' >&2; exit ${code}`);
    expect([end.code, stdout.toString(), stderr.toString()]).toEqual([code, 'out 123', 'err 456']);
  });

  test.each(['TERM', 'KILL', 'SEGV'])('one that SIG%s ended has no code', async (signal) => {
    expect((await sh(`kill -${signal} $$`)).code).toBeNull();
  });

  test('gives it its folder, its environment and nothing to read', async () => {
    const { stdout } = await sh('pwd; echo "$WORD $MORE"; cat; echo "$0"', {
      cwd: '/usr',
      env: { ...base, MORE: '$HOME `x` "y"\n\\z' },
    });
    expect(stdout.toString()).toBe('/usr\nit\'s $HOME `x` "y"\n\\z\n/bin/sh\n');
    expect((await sh('echo "[$MORE]"')).stdout.toString()).toBe('[]\n');
  });

  test('hands over arguments and input byte by byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.array(fc.string({ unit: 'binary' }).filter((word) => !word.includes('\0'))),
        async (input, words) => {
          const fed = await run({ file: '/bin/cat', input });
          expect(Buffer.compare(fed.stdout, Buffer.from(input))).toBe(0);
          const { stdout } = await run({ file: '/usr/bin/printf', args: ['%s\\0', ...words] });
          const told = words.length === 0 ? '\0' : words.map((word) => `${word}\0`).join('');
          expect(stdout.toString()).toBe(Buffer.from(told).toString());
        },
      ),
      { numRuns: 60 },
    );
  });

  test('input that begins with a dash, and all bytes', async () => {
    const input = Buffer.from([0x2d, 0x2d, ...Array.from({ length: 256 }, (_, at) => at)]);
    expect((await run({ file: '/bin/cat', input })).stdout.equals(input)).toBe(true);
  });

  test('many at once each get their own answer, large ones too', async () => {
    const ends = await Promise.all(
      Array.from({ length: 12 }, (_, at) => sh(`head -c ${at * 100_000} /dev/zero; echo ${at} >&2`)),
    );
    expect(ends.map(({ stdout, stderr }) => [stdout.length, Number(stderr)])).toEqual(
      ends.map((_, at) => [at * 100_000, at]),
    );
  });

  test('one that is stopped has no code, and the next one runs', async () => {
    const stop = new AbortController();
    const stopped = run({ args: ['-c', 'sleep 61.5'] }, stop.signal);
    await new Promise((resolve) => setTimeout(resolve, 50));
    stop.abort();
    expect((await stopped).code).toBeNull();
    expect((await run({ args: ['-c', 'echo no'] }, stop.signal)).stdout.toString()).toBe('');
    expect((await sh('echo on')).stdout.toString()).toBe('on\n');
    const left = readdirSync('/proc').filter(
      (pid) => /^\d+$/.test(pid) && commandOf(pid) === 'sleep\x0061.5\0',
    );
    expect(left).toEqual([]);
  });

  test('several run in turn, and read what those before them printed', async () => {
    const say = (script: string, input?: Input): Errand => ({
      ...plain,
      args: ['-c', script],
      ...(input === undefined ? {} : { input }),
    });
    const env = { ...base, MORE: "it's a\nb" };
    const errands = [
      { ...say('printf "%s\\n\\n" "$MORE"'), env },
      say('tr a-z A-Z', ['%s <', { printedBy: 0 }, Buffer.from('>\0\n')]),
      say('cat; printf "\\000%s" "$MORE"', [{ printedBy: 1 }, '|', { printedBy: 0 }]),
    ];
    const end = await launcher.launch(errands, { stop: never });
    expect(end?.printed).toEqual(["it's a\nb", "%S <IT'S A\nB>"]);
    expect(end?.stdout.toString()).toBe("%S <IT'S A\nB>|it's a\nb\0");
    expect(end?.code).toBe(0);
  });

  test('the first that fails is the last', async () => {
    const say = (script: string): Errand => ({ ...plain, args: ['-c', script] });
    const run = (...scripts: string[]) => launcher.launch(scripts.map(say), { stop: never });
    expect(await run('echo a', 'echo b; echo why >&2; exit 3', 'echo c')).toMatchObject({
      ...{ code: 3, printed: ['a'], stderr: Buffer.from('why\n'), stdout: Buffer.alloc(0) },
    });
    expect(await run('echo a', 'kill -KILL $$', 'echo c')).toMatchObject({ code: null, printed: ['a'] });
    expect(await run('echo a', 'echo c; exit 1')).toMatchObject({ code: 1, printed: ['a'] });
  });

  test('output beyond the bound is not waited for, and the next one gets a shell of its own', async () => {
    const endless = { ...plain, args: ['-c', 'while :; do echo 0123456789; done'] };
    const ends = await Promise.all(
      Array.from({ length: 6 }, () => launcher.launch([endless], { stop: never, maxBytes: 50_000 })),
    );
    for (const end of ends) expect([end?.cut, (end?.stdout.length ?? 0) > 50_000]).toEqual([true, true]);
    expect((await sh('echo on')).stdout.toString()).toBe('on\n');
    const whole = { ...plain, args: ['-c', 'head -c 50000 /dev/zero'] };
    expect(await launcher.launch([whole], { stop: never, maxBytes: 50_000 })).toMatchObject({
      cut: false,
      code: 0,
    });
  });

  test('what earlier ones printed does not count against the bound of the last', async () => {
    const long = { ...plain, args: ['-c', 'printf "%01000d" 7'] };
    const whole = { ...plain, args: ['-c', 'head -c 50000 /dev/zero | tr "\\0" x'] };
    const ended = await launcher.launch([long, whole], { stop: never, maxBytes: 50_000 });
    expect([ended?.cut, ended?.code, ended?.stdout.length, ended?.printed[0]?.length]).toEqual([
      false,
      0,
      50_000,
      1_000,
    ]);
    const more = { ...plain, args: ['-c', 'head -c 5000000 /dev/zero | tr "\\0" x'] };
    const cut = await launcher.launch([long, more], { stop: never, maxBytes: 50_000 });
    expect([cut?.cut, (cut?.stdout.length ?? 0) > 50_000]).toEqual([true, true]);
  });

  test('what a shell cannot say is left to others', () => {
    const refuse = (errand: Partial<Errand>) =>
      launcher.launch([plain, { ...plain, ...errand }], { stop: never });
    expect(refuse({ env: { PATH: base.PATH } })).toBeUndefined();
    expect(refuse({ env: { ...base, 'a.b': '1' } })).toBeUndefined();
    expect(refuse({ args: ['a\0b'] })).toBeUndefined();
    expect(refuse({ input: 'ü'.repeat(100_000) })).toBeUndefined();
  });
});

test('a closed one leaves nothing running and launches nothing more', async () => {
  const own = createLauncher({ ...base, WORD: 'closing' });
  const errand = { file: '/bin/sh', args: ['-c', 'echo $PPID'], cwd: '/', env: { ...base, WORD: 'closing' } };
  const busy = own.launch([{ ...errand, args: ['-c', 'sleep 0.3; echo $PPID'] }], { stop: never });
  const shell = Number((await own.launch([errand], { stop: never }))?.stdout.toString());
  await own.close();
  expect(commandOf(String(shell))).toBe('');
  expect(own.launch([errand], { stop: never })).toBeUndefined();
  expect((await busy)?.code).toBe(0);
});

describe('readEnd', () => {
  const nonce = '0123456789abcdef0123456789abcdef';
  const told = Buffer.from(`text 007${nonce}`);
  test('finds the end wherever the chunks are cut, and not before it is there', () => {
    for (let cut = 0; cut <= told.length; cut += 1) {
      const chunks = [told.subarray(0, cut), told.subarray(cut)].filter((chunk) => chunk.length > 0);
      expect(readEnd({ chunks, size: told.length }, nonce)?.toString()).toBe('text 007');
      const early = told.subarray(0, cut);
      if (cut < told.length) expect(readEnd({ chunks: [early], size: cut }, nonce)).toBeUndefined();
    }
    expect(splitCode(Buffer.from('text 007'))).toEqual({
      stdout: Buffer.from('text '),
      printed: [],
      code: 7,
    });
  });
});

test('a script says all of an errand', () => {
  const errand = { file: '/bin/x', args: ["it's"], cwd: '/a b', env: { A: '1' }, input: '-\n' };
  expect(errandScript([errand], {}, 'N')).toBe(
    "{ cd '/a b' && printf '\\055\\012' | A='1' '/bin/x' 'it'\\''s'\n}\nprintf '%03dN' $?; printf N >&2; cd /\n",
  );
});

test('a script that is cut off runs nothing', () => {
  const errand = { file: '/bin/echo', args: ['ran', 'on'], cwd: '/', env: {}, input: 'fed' };
  const script = errandScript([errand], {}, 'N') ?? '';
  const runs = (text: string) => spawnSync('/bin/sh', { input: text, encoding: 'utf8' }).stdout;
  expect(runs(script)).toBe('ran on\n000N');
  const end = script.indexOf("\nprintf '%03d");
  expect(end).toBeGreaterThan(0);
  for (let cut = 0; cut < end; cut += 1) expect(runs(script.slice(0, cut))).toBe('');
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
