// The conversation with one process of Claude Code over stream-json (2.1.330).
import type { AgentMessage, Conversation, LineReading } from '../agent.ts';
import { parseRecord, record, text } from '../json-value.ts';
import { readClaude } from './read-line.ts';

/** Put before every text: `/clear` alone would be a command. */
const word = 'pawl: ';

/** The CLI looks for `@file` and `/command` only in the last block, so that is pawl's own. */
const lastBlock = { type: 'text', text: '(End of the message.)' };

export class ClaudeConversation implements Conversation {
  #interrupts = 0;

  read(line: string): LineReading {
    const events = readClaude(line);
    // A request yields no event: only such lines are parsed again.
    return events.length > 0 ? { events } : { events, answer: answerTo(line) };
  }

  write(message: AgentMessage): string {
    switch (message.type) {
      case 'prompt':
      case 'correction':
        return userLine(message.text);
      case 'steer':
        // A message with priority `now` waits for a running command; an interrupt ends it and keeps the
        // context.
        return this.#interrupt() + userLine(message.text);
      case 'interrupt':
        return this.#interrupt();
      case 'cost':
        return controlLine(message.id, 'get_session_cost');
    }
  }

  #interrupt(): string {
    this.#interrupts += 1;
    return controlLine(`pawl-interrupt-${this.#interrupts}`, 'interrupt');
  }
}

export const promptOnly: Conversation = {
  read: (line) => ({ events: readClaude(line) }),
  write: (message) => (message.type === 'prompt' ? `${word}${message.text}\n` : undefined),
};

/** The CLI waits for answers about permissions and hooks; pawl has offered none. */
function answerTo(line: string): string | undefined {
  if (!line.includes('"control_request"')) return undefined;
  const value = parseRecord(line);
  const id = text(value?.['request_id']);
  if (value?.['type'] !== 'control_request' || id === undefined) return undefined;
  const subtype = text(record(value['request'])?.['subtype']) ?? 'request';
  const error = `nobody is here to answer: ${subtype} is not supported`;
  return `${JSON.stringify({ type: 'control_response', response: { subtype: 'error', request_id: id, error } })}\n`;
}

function userLine(text: string): string {
  const content = [{ type: 'text', text: `${word}${text}` }, lastBlock];
  return `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
}

function controlLine(id: string, subtype: string): string {
  return `${JSON.stringify({ type: 'control_request', request_id: id, request: { subtype } })}\n`;
}
