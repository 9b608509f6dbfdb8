// Formats what an agent does right now.
import { defined } from '../../defined.ts';
import { answersSchema, opinionSchema } from '../../event/finding.ts';
import type { Activity } from '../../event.ts';
import { parseJson } from '../../parse-json.ts';
import { formatCount, formatList, formatMs, formatToolDetail } from '../text/figure.ts';
import { type Line, line, type Tone } from '../text/line.ts';
import { findSession, type RenderContext } from './render-context.ts';

/** Longest text shown of one block, characters; the recording has all. */
export const mostSaid = 8_000;
/** Longest command of a tool call, unless verbose. */
const mostDetail = 200;

/** A marker without its nonce cannot count, and remains visible. */
const marker = /^<<<(?:PAWL:([A-Z_]+) [0-9a-f]{4}|RALPHEX:([A-Z_]+)(?: [0-9a-f]{4})?)>>>[ \t]*(.*)/;
const block =
  /^<<<PAWL:(QUESTION|PLAN_DRAFT) [0-9a-f]{4}>>>[ \t]*\r?\n([\s\S]*\n)?<<<PAWL:END(?: [0-9a-f]{4})?>>>\s*$/m;
/** Of the CLI itself, to the model. */
const ownNote = /^\s*\[[\w -]+\]/;

/** Sub-agents are shown only with `verbose`. */
export function formatActivity({ event, session }: Activity, context: RenderContext): readonly Line[] {
  const { verbose } = context;
  if ('main' in event && !event.main && !verbose) return [];
  switch (event.type) {
    case 'said':
      if (!verbose && event.synthetic && ownNote.test(event.text)) return [];
      return formatSaid(event.text, verbose, event.main && !event.synthetic ? 'plain' : 'dim');
    case 'noise':
      return formatSaid(event.text, verbose, 'dim');
    case 'tool-started':
      return formatTool(event, verbose, findSession(context, session)?.cwd);
    case 'tool-ended':
      return verbose && event.isError ? dim('the tool reported an error') : [];
    case 'api-retry': {
      // The first and the last: with ten sessions, all would be a page.
      if (!verbose && event.attempt > 1 && event.attempt < event.max) return [];
      const cause = [event.status, event.reason].filter(Boolean).join(' ');
      const next = `retry ${event.attempt} of ${event.max} in ${formatMs(event.delayMs)}`;
      return warn(`The model did not answer (${cause}); ${next}`);
    }
    case 'model-fallback':
      return warn(`The model ${event.from} is not available (${event.reason}); continuing with ${event.to}`);
    case 'denied':
      return warn(`The agent was not allowed to use ${event.tool}: ${cut(event.reason, verbose)}`);
    case 'compacted':
      return dim('the agent summarised its conversation');
    case 'background':
      return event.open.length > 0 ? dim(`running in the background: ${formatList(event.open, 3)}`) : [];
    case 'writes-lost':
      return warn('the agent lost what it wrote of its conversation');
    case 'started':
      return (event.broken ?? []).flatMap(warn);
    case 'thought':
    case 'heartbeat':
    case 'limit':
    case 'context':
    case 'result':
    case 'busy':
    case 'idle':
    case 'cost':
    case 'reply':
      return [];
  }
}

type AgentEventOf<T extends Activity['event']['type']> = Extract<Activity['event'], { type: T }>;

/** A reviewer's answer by schema is a tool call, shown as findings. */
function formatTool(
  { tool, main, detail, purpose }: AgentEventOf<'tool-started'>,
  verbose: boolean,
  folder: string | undefined,
): readonly Line[] {
  if (tool === 'StructuredOutput' && !verbose) return [];
  const about = cut(formatToolDetail(detail, folder), verbose);
  const shown = `${main ? '' : '(sub-agent) '}${tool}  ${verbose ? about : (purpose ?? about)}`;
  return dim(shown.trimEnd());
}

export type SplitText = Readonly<{ text: string; marker?: Readonly<{ name: string; words: string }> }>;

/** A marker counts only on the last line; an answer about findings is shown as such. */
export function splitSaid(said: string): SplitText {
  const { text, marker } = splitMarker(said);
  return { text: withoutAnswer(text), ...defined({ marker }) };
}

/** JSON at the end that cannot be read stays: it is asked for again. */
function withoutAnswer(text: string): string {
  const fence = [...text.matchAll(/^[ \t]*(?:```|~~~)json[ \t]*$/gim)].at(-1)?.index;
  const fenced = text.slice(fence ?? 0).trim();
  const json = fence === undefined ? fenced : fenced.replace(/^.*/, '').replace(/(?:```|~~~)$/, '');
  const value = parseJson(json);
  const isAnswer = answersSchema.safeParse(value).success || opinionSchema.safeParse(value).success;
  return isAnswer ? text.slice(0, fence ?? 0) : text;
}

function splitMarker(said: string): SplitText {
  const whole = block.exec(said);
  if (whole) {
    const [, name = '', words = ''] = whole;
    return { text: said.slice(0, whole.index), marker: { name, words: words.trim() } };
  }
  const text = said.trimEnd();
  const at = text.lastIndexOf('\n') + 1;
  const found = marker.exec(text.slice(at));
  if (!found) return { text: said };
  const [, name, foreign = '', words = ''] = found;
  return { text: text.slice(0, at), marker: { name: name ?? foreign, words } };
}

function formatSaid(said: string, verbose: boolean, tone: Tone): readonly Line[] {
  const text = verbose ? said : splitSaid(said).text;
  const shown = text.length > mostSaid ? text.slice(0, mostSaid) : text;
  const lines = shown.split(/\r\n|\r|\n/).filter((part) => part.trim() !== '');
  const rest = text.length - shown.length;
  return [
    ...lines.map((part) => ({ ...line(tone, part.trimEnd(), 2), hang: hangOf(part) })),
    ...(rest > 0 ? dim(`… ${formatCount(rest, 'character')} more in the session's recording`) : []),
  ];
}

export function hangOf(text: string): number {
  return Math.min(12, /^\s*(?:(?:[-*•+]|\d+[.)]) (?:\[[ xX]\] )?)?/.exec(text)?.[0].length ?? 0);
}

function cut(text: string, isWhole: boolean): string {
  return text.length > mostDetail && !isWhole ? `${text.slice(0, mostDetail)}…` : text;
}

function dim(text: string): readonly Line[] {
  return [line('dim', text, 2)];
}

function warn(text: string): readonly Line[] {
  return [line('warn', text, 2)];
}
