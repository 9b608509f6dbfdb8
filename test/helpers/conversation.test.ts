// Where a conversation stands, by table.
import { expect, test } from 'vitest';
import { type ApiMessage, type Position, readPosition } from './conversation.ts';

const user = (content: ApiMessage['content']): ApiMessage => ({ role: 'user', content });
const text = (value: string) => ({ type: 'text', text: value });
const result = { type: 'tool_result' };
const reply: ApiMessage = { role: 'assistant', content: [text('<<<PAWL:SAID beef>>>')] };

test.each<[name: string, messages: ApiMessage[], position: Partial<Position>]>([
  ['a first message', [user('a')], { messages: ['a'], replies: 0, nonce: undefined }],
  ['reminders are not the user', [user([text('<system-reminder>x'), text('a')])], { messages: ['a'] }],
  ['system messages are not the user', [user('a'), { role: 'system', content: 'b' }], { messages: ['a'] }],
  ['one tool result', [user('a'), reply, user([result])], { messages: ['a'], replies: 1 }],
  ['two at once are one reply', [user('a'), reply, user([result, result])], { replies: 1 }],
  ['two in turn', [user('a'), reply, user([result]), reply, user([result])], { replies: 2 }],
  [
    'a second message',
    [user('a'), reply, user([result]), reply, user('b')],
    { messages: ['a', 'b'], replies: 0 },
  ],
  [
    'an interruption and what was said after it, in one message',
    [user('a'), reply, user([result, text('[Request interrupted by user for tool use]'), text('b')])],
    { messages: ['a', 'b'], replies: 0 },
  ],
  [
    'a cut stream',
    [user('a'), reply, user([text('Your response above was cut off mid-stream. Resume')])],
    { messages: ['a'] },
  ],
  ['the latest nonce', [user('<<<PAWL:A 0001>>>'), reply, user('<<<PAWL:A 0002>>>')], { nonce: '0002' }],
  ['an earlier nonce', [user('<<<PAWL:A 0001>>>'), reply, user('b')], { nonce: '0001' }],
])('%s', (_name, messages, position) => {
  expect(readPosition({ model: 'm', messages })).toMatchObject(position);
});
