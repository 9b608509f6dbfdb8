// The lines between a terminal and a running pawl: what is not understood is refused in words.
import { expect, test } from 'vitest';
import { readReply, readRequest, writeRequest } from '../../src/control/request.ts';

test('a request comes back as it was sent', () => {
  const command = { do: 'steer', text: 'a\n"b"', task: '2a', now: true } as const;
  const line = writeRequest('r1', command);
  expect(line.indexOf('\n')).toBe(line.length - 1);
  expect(readRequest(line, 'r1')).toEqual(command);
  const byWeb = { do: 'stop', by: 'web' } as const;
  expect(readRequest(writeRequest('r1', byWeb), 'r1')).toEqual(byWeb);
});

test.each([
  ['pause', /not one of pawl/],
  ['{"do":"pause"}', /not one of pawl/],
  ['{"v":2,"run":"r1","command":{"do":"pause","now":false}}', /version 1 of its commands, not 2/],
  [writeRequest('r2', { do: 'stop' }), /works on run r1, not on r2/],
  ['{"v":1,"run":"r1","command":{"do":"dance"}}', /does not know/],
  ['{"v":1,"run":"r1","command":{"do":"stop","by":7}}', /does not know/],
  ['{"v":1,"run":"r1","command":{"do":"pause"}}', /does not know/],
])('%s is refused', (line, error) => {
  expect(readRequest(line, 'r1')).toMatchObject({ ok: false, error: expect.stringMatching(error) });
});

test('replies come back; anything else is none', () => {
  const no = { ok: false, error: 'e', hint: 'h' } as const;
  for (const reply of [no, { ok: true, text: 't' }]) expect(readReply(JSON.stringify(reply))).toEqual(reply);
  for (const line of ['', '{}', 'ok', '{"ok":true}']) expect(readReply(line)).toBeUndefined();
});
