// Which names a dashboard answers to, the links that lead to it, what is said with them, and the command lines of actions.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parseWords } from '../../src/cli/parse-arguments.ts';
import type { ControlCommand } from '../../src/control/request.ts';
import {
  addressOfPage,
  hostJudge,
  inviteTo,
  isLoopback,
  type Listening,
  linkTo,
} from '../../src/web/address.ts';
import { commandLine } from '../../src/web/command-line.ts';

const own = ['192.0.2.7', '2001:db8::1'];

test.each([
  ['127.0.0.1', [], '127.0.0.1:7295', true],
  ['127.0.0.1', [], 'LOCALHOST:7295', true],
  ['127.0.0.1', [], '[::1]:7295', true],
  ['127.0.0.1', [], '127.0.0.1', false],
  ['127.0.0.1', [], '127.0.0.1:7296', false],
  ['127.0.0.1', [], '192.0.2.7:7295', false],
  ['127.0.0.1', [], '127.0.0.1.evil.example:7295', false],
  ['127.0.0.1', [], '', false],
  ['0.0.0.0', [], '192.0.2.7:7295', true],
  ['0.0.0.0', [], '[2001:db8::1]:7295', true],
  ['0.0.0.0', [], 'evil.example:7295', false],
  ['192.0.2.7', [], '192.0.2.7:7295', true],
  ['127.0.0.1', ['box.tail.ts.net'], 'box.tail.ts.net', true],
  ['127.0.0.1', ['box.tail.ts.net'], 'box.tail.ts.net:7295', true],
  ['127.0.0.1', ['localhost:8000'], 'localhost:8000', true],
] as const)('bound to %s with the names %j: Host %s', (address, names, host, isKnown) => {
  expect(hostJudge({ address, port: 7295, names }, own)(host)).toBe(isKnown);
});

test('at the port 80 no browser names it', () => {
  const isHost = hostJudge({ address: '0.0.0.0', port: 80, names: [] }, own);
  expect(['127.0.0.1', 'localhost', '[2001:db8::1]', 'evil.example'].map(isHost)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['127.0.0.1.evil.example', false],
])('%s is this machine’s alone: %s', (address, is) => {
  expect(isLoopback(address)).toBe(is);
});

test('a link has its token behind the #', () => {
  expect(linkTo('::1', 1, 'tok')).toBe('http://[::1]:1/#t=tok');
});

test('beyond this machine: a QR code of the link, a warning, and ways without that risk', () => {
  const invited = { own, token: 'tok', canAct: true, user: 'ann', host: 'box' };
  const here = inviteTo({ address: '127.0.0.1', port: 7295, names: [] }, invited);
  expect(here.notes.join('\n')).not.toMatch(/WARNING|█|Ctrl-C/);
  const out = inviteTo({ address: '0.0.0.0', port: 7295, names: [] }, invited);
  expect(out.link).toBe('http://192.0.2.7:7295/#t=tok');
  expect(out.notes.join('\n')).toMatch(
    /█[\s\S]*WARNING: the connection is plain http[\s\S]*ssh -N -L 7295[^\n]*ann@box[\s\S]*tailscale/,
  );
});

test.each<[ControlCommand, string]>([
  [{ do: 'pause', now: true }, 'pawl pause docs/p.md --now'],
  [{ do: 'continue' }, 'pawl continue docs/p.md'],
  [{ do: 'stop' }, 'pawl stop docs/p.md'],
  [{ do: 'steer', text: "don't", now: false, task: '2' }, "pawl steer --run docs/p.md --task 2 'don'\\''t'"],
  [{ do: 'steer', text: '--now', now: true }, "pawl steer --run docs/p.md --now -- '--now'"],
  [{ do: 'skip' }, 'pawl skip --run docs/p.md'],
  [{ do: 'retry', task: '2a' }, 'pawl retry --run docs/p.md 2a'],
  [{ do: 'answer', task: '2', answer: '$(rm -rf /)' }, "pawl answer --run docs/p.md 2 '$(rm -rf /)'"],
  [{ do: 'answer', task: '2', answer: '-1' }, "pawl answer --run docs/p.md 2 -- '-1'"],
  [{ do: 'set-budget', maxCostUsd: 20 }, 'pawl set --run docs/p.md budget 20'],
])('%j stands for a command line', (command, line) => {
  expect(commandLine(command, 'docs/p.md')).toBe(line);
  const words = execFileSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const { now = false, text, answer } = { ...command } as Readonly<Record<string, unknown>>;
  const asked = parseWords(words.slice(1));
  expect(asked).toMatchObject({ ask: 'command', options: now ? { now } : {} });
  if (text ?? answer) expect(asked).toMatchObject({ args: expect.arrayContaining([text ?? answer]) });
});

test.each<[string, Listening, string]>([
  ['this machine alone', { address: '127.0.0.1', port: 7295, names: [] }, 'http://127.0.0.1:7295'],
  [
    'a proxy before it',
    { address: '127.0.0.1', port: 7295, names: ['m.tail.ts.net'] },
    'https://m.tail.ts.net',
  ],
  ['the network', { address: '0.0.0.0', port: 80, names: [] }, 'http://192.168.1.7:80'],
  ['the network, by name', { address: '0.0.0.0', port: 7300, names: ['pi.local'] }, 'http://pi.local:7300'],
])('others open the page of %s', (_, listening, page) => {
  expect(addressOfPage(listening, ['192.168.1.7'])).toBe(page);
});
