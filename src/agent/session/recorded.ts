// Reads a session's raw record afterwards.
import path from 'node:path';
import type { AgentEvent } from '../../event/activity.ts';
import { Tail } from '../../tail.ts';
import type { Agent } from '../agent.ts';
import { isOfModel } from './turn-transcript.ts';

/** As last reported, 0 if never; undefined if the model said and did nothing. */
export function readContextTokens(agent: Pick<Agent, 'open'>, rawFile: string): number | undefined {
  let tokens: number | undefined;
  readRecord(agent, rawFile, (event) => {
    if (event.type === 'context') tokens = event.tokens;
    else if (isOfModel(event)) tokens ??= 0;
  });
  return tokens;
}

export type Calls = Readonly<{
  some: boolean;
  /** One may have changed files it does not name. */
  reachesFurther: boolean;
  /** By the last part of its path. */
  named: ReadonlySet<string>;
}>;

/** They change no file but those they name. */
const onlyReads =
  /^(?:Read|Grep|Glob|LS|NotebookRead|TodoWrite|WebFetch|WebSearch|StructuredOutput|ToolSearch|fileChange|Write|Edit|MultiEdit|NotebookEdit)$/;

/** `files`: of which it is asked whether a call names them. */
export function readCalls(agent: Pick<Agent, 'open'>, rawFile: string, files: readonly string[]): Calls {
  const asked = files.map((file) => [file, JSON.stringify(path.posix.basename(file)).slice(1, -1)] as const);
  const named = new Set<string>();
  let [some, reachesFurther] = [false, false];
  const called = (text: string) => {
    some = true;
    for (const [file, name] of asked) if (!named.has(file) && isNamed(text, name)) named.add(file);
  };
  readRecord(agent, rawFile, (event, line) => {
    if (event.type === 'tool-started') called(line);
    if (event.type === 'tool-started' && !event.writes && !onlyReads.test(event.tool)) reachesFurther = true;
    if (event.type === 'tool-ended') for (const text of event.writes ?? []) called(text);
  });
  return { some, reachesFurther, named };
}

/** A longer name is another's. */
function isNamed(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1))
    if (!/[\w-]/.test(line[at + name.length] ?? '')) return true;
  return false;
}

/** Nothing if it is unreadable. */
function readRecord(
  agent: Pick<Agent, 'open'>,
  rawFile: string,
  hear: (event: AgentEvent, line: string) => void,
): void {
  const conversation = agent.open();
  const tail = new Tail(rawFile);
  for (let line = tail.finish(); line !== undefined; line = tail.finish())
    for (const event of conversation.read(line).events) hear(event, line);
}
