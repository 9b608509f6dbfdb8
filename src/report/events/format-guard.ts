// Formats what pawl saw and did around a session.
import { acts, refusals, responses, sayTamper } from '../../event/guard.ts';
import type { FactOf } from '../../event.ts';
import { formatList } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import { formatCheck } from './format-check.ts';
import type { Formats } from './render-context.ts';

export const guardFormats = {
  'check-ended': formatCheck,
  'act-found': ({ act, detail, response, kept }) => {
    const where = kept === undefined ? '' : `; kept as ${kept}`;
    const words = `${acts[act]} (${detail}): ${responses[response]}${where}`;
    return [line(response === 'refused' ? 'bad' : 'warn', words, 1)];
  },
  'file-refused': ({ file, why, detail }) => {
    const [because, hint] = refusals[why];
    return [line('bad', `Not committed: ${file}, because ${because} (${detail}). ${hint}`, 1)];
  },
  'tamper-noted': (fact) => line('warn', `Look at this: ${sayTamper(fact)}`, 1),
  'fresh-verified': (fact) =>
    line(fact.result === 'red' ? 'bad' : fact.result === 'green' ? 'good' : 'warn', formatFresh(fact)),
  // A lane begins with copies that pawl made.
  'files-made': (fact, { verbose }) =>
    fact.by === 'start' && fact.lane !== undefined && !verbose
      ? []
      : [line('dim', `${filesMadeBy[fact.by ?? 'check']}: ${formatList(fact.files)}`, 1)],
  'egress-refused': formatRefusedHost,
  'rescue-saved': formatRescue,
} satisfies Formats;

const filesMadeBy = {
  person: 'new plans, left alone',
  start: 'there before the work, and not committed with it',
  check: 'checks created files that will not be committed',
  beside: 'new while no session worked in this tree, never committed',
  session: 'made by earlier checks, and now part of this work',
} as const;

function formatFresh({ result, reason, beside }: FactOf<'fresh-verified'>): string {
  if (result === 'green') return 'The checks are green in a fresh checkout of the branch.';
  const files = beside.length === 0 ? '' : `; only the run’s tree has: ${formatList(beside)}`;
  return result === 'red'
    ? `Not green at the end: ${reason}${files}`
    : `Not verified in a fresh checkout: ${reason}`;
}

function formatRefusedHost({ host, port, why, times }: FactOf<'egress-refused'>): readonly Line[] {
  const often = times === 1 ? '' : ` (${times} times)`;
  const reason = why === 'host' ? 'the host is not on the list' : 'the address is in a local network';
  const entry = why === 'host' ? `${host}:${port}` : 'its address';
  const hint = `To allow it, add ${entry} to sandbox.allow in your own settings`;
  return [line('warn', `The sandbox blocked ${host}:${port}${often}: ${reason}. ${hint}`, 1)];
}

function formatRescue({ notHeld }: FactOf<'rescue-saved'>): readonly Line[] {
  const missing = notHeld.map(({ file, why }) => `${file} (${why})`);
  if (missing.length === 0) return [];
  return [line('dim', `Not saved in the rescue: ${formatList(missing)}`, 1)];
}
