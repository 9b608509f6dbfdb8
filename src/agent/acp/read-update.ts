// Reads the updates of one prompt, whose words come in pieces and are passed on whole once something else follows; and
// what its end means. `end_turn` is a hint: agents send it even if a turn never reached the model, or its only text is
// an error.
import { defined } from '../../defined.ts';
import type { AgentEvent, Tokens } from '../../event/activity.ts';
import { type JsonRecord, oneLine, record, records, text, wordIn } from '../json-value.ts';
import { type RpcError, type TurnEnd, tokensOf } from '../rpc-conversation.ts';

type Events = readonly AgentEvent[];

const detailLimit = 4_000;
const answerLimit = 1_000_000;

export class TurnReader {
  /** All words of the prompt; if too many, the last. */
  answer = '';
  /** A thought, a tool call, or use of the model as the agent reports it. */
  didAnything = false;
  #paragraph = '';
  #message: string | undefined;
  readonly #open = new Set<string>();
  readonly #over = new Set<string>();

  /** Returns words not passed on yet. */
  end(): Events {
    const said = this.#paragraph;
    this.#paragraph = '';
    return said.trim() === '' ? [] : [{ type: 'said', text: said, main: true, synthetic: false }];
  }

  take(update: JsonRecord): Events {
    switch (update['sessionUpdate']) {
      case 'agent_message_chunk':
        return this.#takeWords(update);
      case 'agent_thought_chunk':
        this.didAnything = true;
        return [...this.end(), { type: 'thought', main: true }];
      case 'tool_call':
      case 'tool_call_update':
        return this.#takeTool(update);
      case 'compaction_end':
        return [{ type: 'compacted' }];
      case 'notice': {
        const words = [text(update['title']), text(update['description'])];
        return [{ type: 'said', text: words.filter(Boolean).join(': '), main: true, synthetic: true }];
      }
      default:
        return [];
    }
  }

  noteUse(tokens: Tokens | undefined): void {
    this.didAnything ||= (tokens?.output ?? 0) > 0;
  }

  #takeWords(update: JsonRecord): Events {
    const piece = text(record(update['content'])?.['text']) ?? '';
    if (piece === '') return [];
    const message = text(update['messageId']);
    const before = message !== this.#message ? this.end() : [];
    if (before.length > 0) this.answer += '\n\n';
    this.#message = message;
    this.#paragraph = (this.#paragraph + piece).slice(-answerLimit);
    this.answer = (this.answer + piece).slice(-answerLimit);
    // A sign of the model; the text follows whole.
    return [...before, { type: 'thought', main: true }];
  }

  #takeTool(update: JsonRecord): Events {
    const id = text(update['toolCallId']) ?? '';
    // Its input may come with the second update.
    const isPending = update['sessionUpdate'] === 'tool_call' && update['status'] === 'pending';
    if (this.#over.has(id)) return [];
    this.didAnything = true;
    const events: AgentEvent[] = [...this.end()];
    if (events.length > 0) this.answer += '\n\n';
    if (isPending) return [...events, { type: 'heartbeat' }];
    if (!this.#open.has(id)) events.push(startOf(id, update));
    else events.push({ type: 'heartbeat' });
    this.#open.add(id);
    const status = update['status'];
    if (status !== 'completed' && status !== 'failed') return events;
    this.#over.add(id);
    const ended = { type: 'tool-ended', id, isError: status === 'failed', main: true } as const;
    return [...events, { ...ended, ...defined({ writes: writesOf(update) }) }];
  }
}

const tools: Readonly<Record<string, string>> = {
  execute: 'Bash',
  read: 'Read',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Move',
  search: 'Search',
  fetch: 'WebFetch',
};

function startOf(id: string, update: JsonRecord): AgentEvent {
  const kind = text(update['kind']);
  const command = text(record(update['rawInput'])?.['command']);
  return {
    type: 'tool-started',
    id,
    tool: wordIn(tools, kind) ?? 'Tool',
    detail: oneLine(command ?? text(update['title']) ?? '', detailLimit),
    ...defined({
      writes: writesOf(update),
      runs: kind === 'execute' || undefined,
    }),
    main: true,
  };
}

const writing: ReadonlySet<unknown> = new Set(['edit', 'delete', 'move']);

function writesOf(update: JsonRecord): readonly string[] | undefined {
  const diffs = records(update['content']).filter(({ type }) => type === 'diff');
  const places = writing.has(update['kind']) ? records(update['locations']) : [];
  const files = [...diffs, ...places].flatMap(({ path }) => text(path) ?? []);
  return files.length > 0 ? [...new Set(files)] : undefined;
}

export function readAnswer(result: JsonRecord): Tokens | undefined {
  const quota = record(record(result['_meta'])?.['quota']);
  return readTokens(record(result['usage'])) ?? readTokens(record(quota?.['token_count']));
}

export function readTokens(usage: JsonRecord | undefined): Tokens | undefined {
  return tokensOf({
    input: usage?.['inputTokens'] ?? usage?.['input_tokens'],
    output: usage?.['outputTokens'] ?? usage?.['output_tokens'],
    cacheRead: usage?.['cachedReadTokens'],
    cacheWrite: usage?.['cachedWriteTokens'],
  });
}

type Heard = Pick<TurnReader, 'answer' | 'didAnything'>;

export function judgeStop(reason: string, heard: Heard): TurnEnd {
  if (reason === 'end_turn') return judgeEnd(heard);
  const stop = wordIn(stops, reason) ?? { isError: false, reason: reason || 'completed' };
  return { text: heard.answer, ...stop };
}

const stops: Readonly<Record<string, Omit<TurnEnd, 'text'>>> = {
  max_tokens: { isError: true, reason: 'max_tokens', apiError: 'max_output_tokens' },
  max_turn_requests: { isError: true, reason: 'max_turns' },
  refusal: { isError: true, reason: 'refusal', apiError: 'refusal' },
  cancelled: { isError: true, reason: 'aborted_by_cancel' },
};

const retries = /^(Info: [^\n]*?Retrying\.\.\.\s*)+/;

const errorText =
  /^\W{0,4}((api |internal |fatal )?error\b|exceeded retry limit|unexpected status|request failed)/i;

function judgeEnd({ answer: said, didAnything }: Heard): TurnEnd {
  if (didAnything) return { text: said, isError: false, reason: 'completed' };
  if (said.trim() === '')
    return {
      text: 'suspected limit: it ended its turn without a word, a tool call or any use of the model',
      isError: true,
      apiError: 'suspected_limit',
    };
  const last = said.replace(retries, '');
  if (errorText.test(last)) {
    const status = Number(/\b(?:HTTP|status:?|error:) ([45]\d\d)\b/i.exec(last)?.[1]);
    const apiError = quota.test(last) ? 'usage_limit_reached' : undefined;
    const apiStatus = status > 0 ? status : undefined;
    return { text: last, isError: true, reason: 'api_error', ...defined({ apiStatus, apiError }) };
  }
  return { text: said, isError: false, reason: 'completed' };
}

const authRequired = -32000;
const settingSteps: ReadonlySet<string> = new Set(['session/set_mode', 'session/set_config_option']);

export function readError(
  to: string,
  { code, message, data }: RpcError,
): Readonly<{ text: string; apiStatus?: number; apiError?: string }> {
  const details = text(data['details']) ?? text(data['message']) ?? '';
  const words = details === '' || message.includes(details) ? message : `${message}: ${details}`;
  const said = words === '' ? `error ${code}` : words;
  const typed =
    code === authRequired ? 'authentication_error' : quota.test(words) ? 'usage_limit_reached' : undefined;
  return {
    text: to === 'session/prompt' ? said : `${to}: ${said}`,
    ...defined({
      apiStatus: statusOf(code, details),
      // The mode or model does not exist, or not for this user: retrying would not help.
      apiError: settingSteps.has(to) ? 'permission_error' : typed,
    }),
  };
}

/** Some use the API's status as the code, or begin the details with it. */
function statusOf(code: number, details: string): number | undefined {
  const status = code >= 400 ? code : Number(/^[45]\d\d\b/.exec(details)?.[0]);
  return status >= 400 && status < 600 ? status : undefined;
}

const quota = /\b(exhausted|exceeded|hit) your [\w -]{0,40}(quota|usage limit)\b/i;
