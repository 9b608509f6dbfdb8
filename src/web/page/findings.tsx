// What the review found: by standing, then severity; and how each stage ended.
import { formatCount } from '../../report/text/figure.ts';
import type { ReviewView } from '../view.ts';
import { searched } from './searched.ts';
import { Badge } from './small.tsx';
import { part } from './store.ts';

type Finding = ReviewView['findings'][number];

const severities = { critical: 'bad', major: 'bad', minor: 'warn', note: 'plain' } as const;
const standings: readonly (readonly [Finding['standing'], string])[] = [
  ['open', 'Open'],
  ['disputed', 'Disputed: rejected, and raised again or proven'],
  ['rejected', 'Rejected'],
  ['refuted', 'Refuted by their proofs'],
  ['fixed', 'Fixed'],
];

export function FindingList() {
  const review = part<ReviewView>('review');
  if (!review) return null;
  const shown = searched(
    review.findings,
    ({ title, file, evidence, id }) => `${id} ${title} ${file} ${evidence}`,
  );
  return (
    <div class="findings">
      <Stages stages={review.stages} />
      {standings.map(([standing, label]) => {
        const list = shown.filter((finding) => finding.standing === standing);
        return list.length === 0 ? null : (
          <section key={standing}>
            <h3>
              {label} <span class="dim">{list.length}</span>
            </h3>
            <ul>
              {list.map((finding) => (
                <One key={finding.id} finding={finding} />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function Stages({ stages }: Pick<ReviewView, 'stages'>) {
  return (
    <ul class="stages">
      {stages.map(({ stage, end, reason, rounds }) => (
        <li key={stage}>
          <Badge tone={end === undefined ? 'busy' : end === 'clean' || end === 'settled' ? 'good' : 'warn'}>
            {end ?? 'in progress'}
          </Badge>
          <strong>{stage}</strong>
          <span class="dim">
            {formatCount(rounds, 'round')}
            {reason === undefined ? '' : ` · ${reason}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

function One({ finding }: { finding: Finding }) {
  const {
    id,
    severity,
    file,
    line,
    title,
    evidence,
    suggestion,
    reason,
    reviewers,
    proof,
    tried,
    doubts = [],
  } = finding;
  return (
    <li class="finding">
      <details>
        <summary>
          <Badge tone={severities[severity]}>{severity}</Badge>
          <span class="title">{title}</span>
          <span class="mono dim">
            {file}
            {line > 0 ? `:${line}` : ''}
          </span>
        </summary>
        <dl>
          <dt>Evidence</dt>
          <dd class="words">{evidence}</dd>
          {suggestion === '' ? null : (
            <>
              <dt>Suggestion</dt>
              <dd class="words">{suggestion}</dd>
            </>
          )}
          {tried === undefined ? null : (
            <>
              <dt>Proof, {tried}</dt>
              <dd class="mono">{proof.command}</dd>
            </>
          )}
          {doubts.length === 0 ? null : (
            <>
              <dt>Doubts about the fix</dt>
              <dd class="words">{doubts.join('; ')}</dd>
            </>
          )}
          {reason === undefined ? null : (
            <>
              <dt>{finding.standing === 'fixed' ? 'Fixed' : 'The fixer says'}</dt>
              <dd class="words">{reason}</dd>
            </>
          )}
          <dt>Raised by</dt>
          <dd>
            {reviewers.join(', ')} <span class="dim">as {id}</span>
          </dd>
        </dl>
      </details>
    </li>
  );
}
