// Which turn of a script answers a message, and what it says: the marker's nonce filled in, its steps as replies of a model.
// It knows neither processes nor the network.
import type { Script, Step, Turn, When } from './script.ts';

/** A message as a turn is chosen for it. */
export type Asked = Readonly<{ text: string; hasSchema: boolean }>;

/** The first turn that answers the message; its index. A turn that answers once only must be granted by `claim`, which is asked last: what it grants is taken. */
export function chooseTurn(
  script: Script,
  asked: Asked,
  claim: (index: number, scope: 'ever' | 'session') => boolean,
): number | undefined {
  const index = script.turns.findIndex((turn, at) => {
    if (turn.when !== undefined && !matches(turn.when, asked)) return false;
    const scope = onceScope(turn);
    return scope === undefined || claim(at, scope);
  });
  return index === -1 ? undefined : index;
}

/** Whether a turn answers once in all sessions, once in each, or always (undefined). */
function onceScope(turn: Turn): 'ever' | 'session' | undefined {
  const once = turn.once ?? (turn.when === undefined ? 'session' : false);
  if (once === false) return undefined;
  return once === true ? 'ever' : 'session';
}

function matches(when: When, { text, hasSchema }: Asked): boolean {
  if (typeof when === 'string') return text.includes(when);
  return 'schema' in when ? hasSchema : new RegExp(when.regex, 'm').test(text);
}

/** What a session answers to a message that no turn of its script answers. */
export const unanswered: readonly Step[] = [{ say: 'The script has no turn for this message.' }];

/** The nonce of the marker protocol in the latest of the texts that shows one. */
export function findNonce(texts: readonly string[]): string | undefined {
  for (const text of texts.toReversed()) {
    const nonce = /<<<PAWL:[A-Z_]+ ([0-9a-f]{4})>>>/.exec(text)?.[1];
    if (nonce !== undefined) return nonce;
  }
  return undefined;
}

/** Replaces `{{marker NAME text}}` by the marker's line with the nonce (without one, by a marker that has none) and `{{nonce}}` by the nonce. */
export function fillIn(text: string, nonce: string | undefined): string {
  const tail = nonce === undefined ? '' : ` ${nonce}`;
  return text
    .replace(/\{\{marker ([A-Z_]+)(?: ([^\n]*?))?\}\}/g, (_, name: string, rest: string | undefined) =>
      rest === undefined ? `<<<PAWL:${name}${tail}>>>` : `<<<PAWL:${name}${tail}>>> ${rest}`,
    )
    .replaceAll('{{nonce}}', nonce ?? '');
}

/** A turn's steps as model replies: each ends with a tool call, the last one (perhaps empty) with the turn. */
export function splitReplies(steps: readonly Step[]): readonly (readonly Step[])[] {
  const replies: Step[][] = [[]];
  for (const step of steps) {
    replies.at(-1)?.push(step);
    if (isToolStep(step)) replies.push([]);
  }
  const last = steps.at(-1);
  if (last !== undefined && 'answer' in last) replies.pop();
  return replies;
}

/** True for a step that is a tool call of the model. */
function isToolStep(step: Step): boolean {
  return 'bash' in step || 'write' in step || 'subagent' in step || 'answer' in step;
}
