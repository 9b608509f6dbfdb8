// The scripted model: an HTTP server on loopback that speaks the Messages API and plays a script to whoever asks.
// Where a conversation stands is read from each request; kept are only the turns that were chosen and failures counted.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { errorTypeOf } from '../fixtures/agents/scripted/api-failure.ts';
import { chooseTurn, splitReplies, unanswered } from '../fixtures/agents/scripted/choose-turn.ts';
import type {
  ApiFailure,
  LimitWindow,
  Script,
  Step,
  Turn,
  Usage,
} from '../fixtures/agents/scripted/script.ts';
import { idHeader, sendReply, streamReply, toPieces } from './api-reply.ts';
import { type ApiRequest, readPosition } from './conversation.ts';
import { Failures, serve } from './dialect.ts';

/** One request as it came in. */
type ModelRequest = Readonly<{
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Parsed JSON body; undefined without one. */
  body: ApiRequest | undefined;
  /** Session of the CLI, from its header. */
  session: string | undefined;
  /** Set for a sub-agent's request. */
  agentId: string | undefined;
}>;

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
    const hasBody = incoming.method === 'POST';
    const request: ModelRequest = {
      method: incoming.method ?? '',
      path: (incoming.url ?? '').split('?')[0] ?? '',
      headers: incoming.headers,
      body: hasBody ? ((await json(incoming)) as ApiRequest) : undefined,
      session: headerOf(incoming.headers, 'x-claude-code-session-id'),
      agentId: headerOf(incoming.headers, 'x-claude-code-agent-id'),
    };
    requests.push(request);
    if (request.path === '/v1/messages' && request.body) await player.answer(request, request.body, response);
    else if (request.path.endsWith('/count_tokens')) sendJson(response, 200, { input_tokens: 100 });
    else sendJson(response, 200, {});
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

  async answer(request: ModelRequest, body: ApiRequest, response: ServerResponse): Promise<void> {
    const { messages, replies, nonce } = readPosition(body);
    const session = request.session ?? 'none';
    const isTitle = body.output_config?.format !== undefined;
    const inPart = request.agentId === undefined ? undefined : this.#partOf(messages[0] ?? '');
    const part = isTitle ? title : inPart;
    const tools = new Map((body.tools ?? []).map((tool) => [tool.name, parametersOf(tool)]));
    const turns = part ? [] : this.#turnsOf(session, messages, tools.has('StructuredOutput'));
    const steps = part ?? this.#stepsOf(turns.at(-1));
    const reply = splitReplies(steps)[replies] ?? [];
    const place = `${session}/${request.agentId ?? ''}/${messages.length}/${replies}`;
    const failed = this.#failures.next(reply, place);
    if (failed && 'api' in failed) return sendFailure(response, failed.api, body.stream);
    if (failed) {
      const headers = limitHeaders(failed.resetsAt, failed.window ?? 'five_hour');
      return sendFailure(response, { status: 429, message: 'scripted usage limit', headers });
    }
    if (reply[0] !== undefined && 'hang' in reply[0]) return;
    const cut = reply.find((step) => 'cut' in step);
    const pieces = toPieces(reply, {
      nonce,
      tools,
      isCut:
        cut !== undefined &&
        this.#failures.count(`${place}/cut`) <= (cut.cut.times ?? Number.POSITIVE_INFINITY),
      labelOf: (step) => this.#labelOf(step),
    });
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

  #labelOf(step: Step): string {
    for (const [turn, { steps }] of this.#script.turns.entries()) {
      const place = placeOf(step, steps);
      if (place !== undefined) return `Play part ${[turn, ...place].join('.')} of the script.`;
    }
    return 'Play no part of the script.';
  }

  #partOf(prompt: string): readonly Step[] {
    const [, place = ''] = /Play part ([\d.]+) of the script/.exec(prompt) ?? [];
    const [turn = -1, ...path] = place.split('.').map(Number);
    const start = this.#script.turns[turn]?.steps ?? [];
    return path.reduce((steps, at) => partOf(steps[at]), start);
  }
}

/** The way to a step through the parts of sub-agents, by position in each. */
function placeOf(step: Step, steps: readonly Step[]): readonly number[] | undefined {
  for (const [at, one] of steps.entries()) {
    if (one === step) return [at];
    const inside = 'subagent' in one ? placeOf(step, partOf(one)) : undefined;
    if (inside !== undefined) return [at, ...inside];
  }
  return undefined;
}

/** What a sub-agent plays. */
function partOf(step: Step | undefined): readonly Step[] {
  if (step === undefined || !('subagent' in step)) return unanswered;
  return typeof step.subagent === 'string' ? [{ say: step.subagent }] : step.subagent;
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
  const type = failure.type ?? errorTypeOf(failure.status);
  const message = failure.message ?? `scripted HTTP ${failure.status}`;
  if (failure.inStream && isStream) {
    response.writeHead(200, { 'content-type': 'text/event-stream', ...idHeader() });
    response.end(`event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message } })}\n\n`);
    return;
  }
  sendJson(response, failure.status, { type: 'error', error: { type, message } }, failure.headers);
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...idHeader(), ...headers });
  response.end(JSON.stringify(body));
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

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
