// Reads a Messages API request as the scripted model needs it: what the user said, and how far the answer to it is.
// Pure; it knows no script and no server.
import { findNonce } from '../fixtures/agents/scripted/choose-turn.ts';

type Block = Readonly<{ type: string; text?: string }>;

/** One message of a request's conversation. */
export type ApiMessage = Readonly<{ role: string; content: string | readonly Block[] }>;

/** The parts of a request body that the scripted model looks at. */
export type ApiRequest = Readonly<{
  model: string;
  stream?: boolean;
  messages: readonly ApiMessage[];
  /** `format`: the JSON Schema of a title for the session. */
  output_config?: Readonly<{ format?: object }>;
  tools?: readonly Readonly<{ name: string; input_schema?: Readonly<{ properties?: object }> }>[];
}>;

/** Where a conversation stands. */
export type Position = Readonly<{
  /** What the user said, message by message; texts that the CLI wrote itself are not among them. */
  messages: readonly string[];
  /** Tool results since the last of them: the number of replies already given to it. */
  replies: number;
  /** Nonce of the marker protocol, from the latest message that shows one. */
  nonce: string | undefined;
}>;

/** Texts in the user's role that Claude Code 2.1.330 writes by itself, by how they begin. */
const ownTexts = [
  '<system-reminder>',
  '[Request interrupted by user',
  'Your response above was cut off mid-stream',
  'Output token limit hit',
  '[structured-output-enforce]',
  'Your response above was stopped by a safety classifier',
  'Stop hook feedback',
];

/** Finds where a conversation stands. */
export function readPosition(request: ApiRequest): Position {
  const messages: string[] = [];
  let replies = 0;
  for (const { role, content } of request.messages) {
    if (role !== 'user') continue;
    const blocks: readonly Block[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (blocks.some((block) => block.type === 'tool_result')) replies += 1;
    const text = blocks
      .map((block) => block.text ?? '')
      .filter((part) => part !== '' && !ownTexts.some((own) => part.trimStart().startsWith(own)))
      .join('\n');
    if (text === '') continue;
    messages.push(text);
    replies = 0;
  }
  return { messages, replies, nonce: findNonce(messages) };
}
