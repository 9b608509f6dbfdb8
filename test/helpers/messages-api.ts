// The scripted model: an HTTP server on loopback that speaks the Messages API and plays a script to whoever asks.
// Where a conversation stands is read from each request; kept are only the turns that were chosen and failures counted.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { errorTypeOf } from '../fixtures/agents/scripted/api-failure.ts';
import { chooseTurn, findNonce, splitReplies, unanswered } from '../fixtures/agents/scripted/choose-turn.ts';
import type {
  ApiFailure,
  LimitWindow,
  Script,
  Step,
  Turn,
  Usage,
} from '../fixtures/agents/scripted/script.ts';
import { partAsked, sendReply, streamReply, toPieces } from './api-reply.ts';
import { Failures, positionOf, sendEvents, sendJson, serve, textsOf } from './dialect.ts';

/** The parts of a request body that the scripted model looks at. */
type ApiRequest = Readonly<{
  model: string;
  stream?: boolean;
  messages: readonly Readonly<{ role: string; content: string | readonly Readonly<{ type: string }>[] }>[];
  /** `format`: the JSON Schema of a title for the session. */
  output_config?: Readonly<{ format?: object }>;
  tools?: readonly Readonly<{ name: string; input_schema?: Readonly<{ properties?: object }> }>[];
}>;

/** One request as it came in; its body undefined without one. */
type ModelRequest = Readonly<{ headers: IncomingHttpHeaders; body: ApiRequest | undefined }>;

/** A running scripted model; closes itself at the end of its scope. */
export type Model = AsyncDisposable &
  Readonly<{
    url: string;
    requests: readonly ModelRequest[];
    /** Replaces what it plays; turns that answer once overall are unused again. */
    rewrite(turns: readonly Turn[]): void;
  }>;

/** Starts the scripted model on a free port of 127.0.0.1. A step that only the scripted agent can play is an error. */
export async function startModel(script: Script): Promise<Model> {
  const requests: ModelRequest[] = [];
  const player = new Player(script);
  const server = createServer(async (incoming, response) => {
    response.on('error', () => {});
    const { method, headers, url = '' } = incoming;
    const body = method === 'POST' ? ((await json(incoming)) as ApiRequest) : undefined;
    requests.push({ headers, body });
    if (/\/v1\/messages(?:\?|$)/.test(url) && body) await player.answer(headers, body, response);
    else sendJson(response, { input_tokens: 100 });
  });
  const rewrite = (turns: readonly Turn[]) => player.rewrite({ turns });
  return { ...(await serve(server)), requests, rewrite };
}

/** What an ACP server asks for beside the conversation takes no turn of it. */
const title: readonly Step[] = [{ say: '{"title":"Scripted"}' }];

/** Plays the script; remembers per session which turn answered which message, and how often a failure was given. */
class Player {
  #script: Script = { turns: [] };
  readonly #chosen = new Map<string, (number | undefined)[]>();
  readonly #spent = new Set<number>();
  #failures = new Failures();

  constructor(script: Script) {
    this.rewrite(script);
  }

  rewrite(script: Script): void {
    const agentOnly = script.turns.flatMap((turn) => turn.steps).find(isAgentOnly);
    if (agentOnly) throw new Error(`no API can play the step ${JSON.stringify(agentOnly)}`);
    this.#script = script;
    this.#spent.clear();
    this.#chosen.clear();
    this.#failures = new Failures();
  }

  async answer(headers: IncomingHttpHeaders, body: ApiRequest, response: ServerResponse): Promise<void> {
    const { messages, replies } = positionOf(
      body.messages.map(({ role, content }) => ({
        role,
        texts: textsOf(content),
        isResult: typeof content !== 'string' && content.some(({ type }) => type === 'tool_result'),
      })),
    );
    // A sub-agent's requests have an id of their own beside the session's.
    const { 'x-claude-code-session-id': session, 'x-claude-code-agent-id': agent } = headers;
    const isTitle = body.output_config?.format !== undefined;
    const inPart = agent === undefined ? undefined : partAsked(messages[0] ?? '');
    const part = isTitle ? title : inPart;
    const tools = new Map((body.tools ?? []).map((tool) => [tool.name, parametersOf(tool)]));
    const turns = part ? [] : this.#turnsOf(String(session), messages, tools.has('StructuredOutput'));
    const steps = part ?? this.#stepsOf(turns.at(-1));
    const reply = splitReplies(steps)[replies] ?? [];
    const place = `${session}/${agent}/${messages.length}/${replies}`;
    const failed = this.#failures.next(reply, place);
    if (failed && 'api' in failed) return sendFailure(response, failed.api, body.stream);
    if (failed) {
      const headers = limitHeaders(failed.resetsAt, failed.window ?? 'five_hour');
      return sendFailure(response, { status: 429, message: 'scripted usage limit', headers });
    }
    if (reply[0] !== undefined && 'hang' in reply[0]) return;
    const pieces = toPieces(reply, { nonce: findNonce(messages), tools });
    const earlier = turns.slice(0, -1).flatMap((turn) => this.#stepsOf(turn));
    const played = splitReplies(steps)
      .slice(0, replies + 1)
      .flat();
    const head = { model: body.model, usage: usageAfter([...earlier, ...played]) };
    await (body.stream ? streamReply(response, pieces, head) : sendReply(response, pieces, head));
  }

  #turnsOf(
    session: string,
    messages: readonly string[],
    hasSchema: boolean,
  ): readonly (number | undefined)[] {
    const chosen = this.#chosen.get(session) ?? [];
    this.#chosen.set(session, chosen);
    for (const text of messages.slice(chosen.length)) {
      const index = chooseTurn(this.#script, { text, hasSchema }, (at, scope) =>
        scope === 'ever' ? !this.#spent.has(at) : !chosen.includes(at),
      );
      if (index !== undefined) this.#spent.add(index);
      chosen.push(index);
    }
    return chosen.slice(0, messages.length);
  }

  #stepsOf(turn: number | undefined): readonly Step[] {
    return turn === undefined ? unanswered : (this.#script.turns[turn]?.steps ?? unanswered);
  }
}

/** Response headers that make Claude Code 2.1.330 believe in a reached limit, when it runs on an OAuth token. */
function limitHeaders(resetsAt: number, window: LimitWindow): Record<string, string> {
  const prefix = 'anthropic-ratelimit-unified';
  const key = window === 'five_hour' ? '5h' : '7d';
  return {
    [`${prefix}-status`]: 'rejected',
    [`${prefix}-reset`]: String(resetsAt),
    [`${prefix}-representative-claim`]: window,
    [`${prefix}-${key}-status`]: 'rejected',
    [`${prefix}-${key}-utilization`]: '1',
    [`${prefix}-${key}-reset`]: String(resetsAt),
    [`${prefix}-overage-status`]: 'rejected',
    [`${prefix}-overage-disabled-reason`]: 'org_level_disabled',
  };
}

function sendFailure(response: ServerResponse, failure: ApiFailure, isStream = false): void {
  const message = failure.message ?? `scripted HTTP ${failure.status}`;
  const body = { type: 'error', error: { type: errorTypeOf(failure.status), message } };
  if (failure.inStream && isStream) sendEvents(response, [['error', body]]);
  else sendJson(response, body, failure.status, failure.headers);
}

function usageAfter(steps: readonly Step[]): Required<Usage> {
  const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 };
  for (const step of steps) if ('usage' in step) Object.assign(usage, step.usage);
  return usage;
}

function parametersOf(tool: { input_schema?: Readonly<{ properties?: object }> }): readonly string[] {
  return Object.keys(tool.input_schema?.properties ?? {});
}

function isAgentOnly(step: Step): boolean {
  return 'exit' in step || 'ignore' in step;
}
