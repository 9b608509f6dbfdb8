// What the review found, and how each stage ended.
import { formatCount } from '../../report/text/figure.ts';
import type { ReviewView } from '../view.ts';
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
  const { stages = [], findings = [] } = part<ReviewView>('review') ?? {};
  return (
    <div class="stack">
      <ul>
        {stages.map(({ stage, end, reason, rounds }) => (
          <li class="line" key={stage}>
            <Badge
              tone={end === undefined ? 'busy' : end === 'clean' || end === 'settled' ? 'good' : 'warn'}
              word={end ?? 'in progress'}
            />
            <strong>{stage}</strong>
            <span class="dim">
              {formatCount(rounds, 'round')}
              {reason === undefined ? '' : ` · ${reason}`}
            </span>
          </li>
        ))}
      </ul>
      {standings.map(([standing, label]) => {
        const list = findings.filter((finding) => finding.standing === standing);
        return list.length === 0 ? null : (
          <section key={standing}>
            <h2>
              {label} {list.length}
            </h2>
            {list.map((finding) => (
              <One key={finding.id} finding={finding} />
            ))}
          </section>
        );
      })}
    </div>
  );
}

function One({ finding }: { finding: Finding }) {
  const { id, severity, standing, file, line, title, reviewers, proof, tried, doubts = [] } = finding;
  const rows = {
    Evidence: finding.evidence,
    Suggestion: finding.suggestion,
    [`Proof, ${tried}`]: tried === undefined ? '' : proof.command,
    'Doubts about the fix': doubts.join('; '),
    [standing === 'fixed' ? 'Fixed' : 'The fixer says']: finding.reason ?? '',
    'Raised by': `${reviewers.join(', ')} as ${id}`,
  };
  return (
    <details class="finding">
      <summary class="cols">
        <Badge tone={severities[severity]} word={severity} />
        <span>{title}</span>
        <span class="mono dim">
          {file}
          {line > 0 ? `:${line}` : ''}
        </span>
      </summary>
      <dl class="pairs">
        {Object.entries(rows).map(([name, text]) =>
          text === '' ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd class={`words ${name.startsWith('Proof') ? 'mono' : ''}`}>{text}</dd>
            </div>
          ),
        )}
      </dl>
    </details>
  );
}
