// The scripted model as other CLIs than Claude Code talk to it: an HTTP server on loopback that plays a script over OpenAI's
// Responses and Chat Completions APIs and Gemini's. What each API's requests and replies look like is in the dialects.
import { createServer, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import {
  chooseTurn,
  fillIn,
  findNonce,
  splitReplies,
  unanswered,
} from '../fixtures/agents/scripted/choose-turn.ts';
import type { ApiFailure, Script, Step } from '../fixtures/agents/scripted/script.ts';
import { type Dialect, Failures, type Reply, sendJson, serve } from './dialect.ts';
import { dialectOf } from './dialects.ts';

/** A running scripted model; closes itself at the end of its scope. `requests`: the bodies it got, as JSON text. */
export type OpenModel = AsyncDisposable & Readonly<{ url: string; requests: readonly string[] }>;

/** Starts it on a free port of 127.0.0.1. */
export async function startOpenModel(script: Script): Promise<OpenModel> {
  const requests: string[] = [];
  const player = new Player(script);
  const server = createServer(async (incoming, response) => {
    response.on('error', () => {});
    const body = await readText(incoming);
    const dialect = dialectOf(incoming.url ?? '');
    if (dialect === undefined || incoming.method !== 'POST') return sendJson(response, list);
    requests.push(body);
    await player.answer(dialect, body, response);
  });
  return { ...(await serve(server)), requests };
}

/** Models, and whatever else a CLI asks for at its start. */
const list = { object: 'list', data: [{ id: 'scripted', object: 'model', owned_by: 'x' }] };

/** Plays the script. A turn is chosen once for a message, known by all that was said up to it; a failure is counted there. */
class Player {
  readonly #script: Script;
  readonly #chosen = new Map<string, number | undefined>();
  readonly #spent = new Set<number>();
  /** Conversations that came to their end: the same first words again are another one's. */
  readonly #over = new Set<string>();
  readonly #failures = new Failures();

  constructor(script: Script) {
    this.#script = script;
  }

  async answer(dialect: Dialect, text: string, response: ServerResponse): Promise<void> {
    const body = JSON.parse(text) as Record<string, unknown>;
    const { messages, replies, tools, hasSchema } = dialect.read(body);
    // A title, a summary, a classification beside the conversation: it offers no tools.
    if (tools.length === 0 && !hasSchema) return dialect.send(response, { texts: ['Scripted'], body });
    const whole = messages.join('\0');
    if (replies === 0 && this.#over.delete(whole)) this.#chosen.delete(whole);
    const turns = messages.map((_, at) => this.#turnOf(messages.slice(0, at + 1), hasSchema));
    const last = turns.at(-1);
    const steps = last === undefined ? unanswered : (this.#script.turns[last]?.steps ?? unanswered);
    const all = splitReplies(steps);
    const reply = all[replies] ?? [];
    if (reply.some((step) => 'hang' in step || 'silence' in step)) return;
    const failed = this.#failures.next(reply, `${whole}/${replies}`);
    if (failed && 'api' in failed) return sendFailure(response, failed.api);
    if (failed) return dialect.refuse(response, failed.resetsAt);
    if (replies === all.length - 1) this.#over.add(whole);
    for (const step of reply) if ('think' in step) await wait(step.think);
    dialect.send(response, { ...partsOf(reply, findNonce(messages)), body });
  }

  #turnOf(said: readonly string[], hasSchema: boolean): number | undefined {
    const key = said.join('\0');
    if (this.#chosen.has(key)) return this.#chosen.get(key);
    const before = new Set(said.map((_, at) => this.#chosen.get(said.slice(0, at).join('\0'))));
    const index = chooseTurn(this.#script, { text: said.at(-1) ?? '', hasSchema }, (at, scope) =>
      scope === 'ever' ? !this.#spent.has(at) : !before.has(at),
    );
    if (index !== undefined) this.#spent.add(index);
    this.#chosen.set(key, index);
    return index;
  }
}

function sendFailure(response: ServerResponse, { status, message, headers }: ApiFailure): void {
  const error = { message: message ?? `scripted HTTP ${status}`, type: 'scripted' };
  sendJson(response, { error }, status, headers);
}

/** What the steps of one reply come to; a step that none of these APIs can play is an error. */
function partsOf(steps: readonly Step[], nonce: string | undefined): Omit<Reply, 'body'> {
  const texts: string[] = [];
  let command: string | undefined;
  for (const step of steps) {
    if ('say' in step) texts.push(fillIn(step.say, nonce));
    else if ('answer' in step) texts.push(JSON.stringify(step.answer));
    else if ('bash' in step) command = step.bash;
    else if ('write' in step) command = writing(step.write);
    else if (!('think' in step || 'usage' in step || 'api' in step || 'limit' in step))
      throw new Error(`no such API can play the step ${JSON.stringify(step)}`);
  }
  return { texts, ...(command === undefined ? {} : { command }) };
}

function writing({ file, content }: Readonly<{ file: string; content: string }>): string {
  const line = content.endsWith('\n') ? content : `${content}\n`;
  return `mkdir -p "$(dirname '${file}')" && cat > '${file}' <<'END_OF_FILE'\n${line}END_OF_FILE`;
}
