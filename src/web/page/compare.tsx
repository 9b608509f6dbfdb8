// Runs side by side: what `pawl compare` has made, or runs that a person picks. First what decides, a card for each; then
// every figure as a table.
import { formatCount, formatMs } from '../../report/text/figure.ts';
import type { ComparisonView, ContenderView } from '../view.ts';
import { readCompared, readComparisons } from './connection.ts';
import { Badge, Meter, Notes } from './small.tsx';
import { cards, comparePath, go, pathOf, route } from './store.ts';
import { useRead } from './use-read.ts';

export function ComparePage() {
  const { value } = route;
  const ids = value.page === 'compare' ? value.ids : [];
  const named = ids.join(' ');
  const { value: views, error } = useRead(
    async () => (ids.length > 1 ? [await readCompared(ids)] : readComparisons()),
    [named],
  );
  return (
    <div class="compare">
      <h1>{ids.length > 1 ? 'Runs side by side' : 'Comparisons'}</h1>
      {error === '' ? null : <p class="warn-text">{error}</p>}
      {views === undefined && error === '' ? <p class="dim">Counting …</p> : null}
      {views?.length === 0 ? (
        <p class="dim">
          <code>pawl compare plan.md --with claude:opus --with codex</code> runs one plan by several agents or
          models: it appears here.
        </p>
      ) : null}
      {views?.map((view) => (
        <One key={view.comparison ?? named} view={view} />
      ))}
      <Picker ids={ids} />
    </div>
  );
}

function One({ view }: { view: ComparisonView }) {
  const { title, contenders, rows, notes } = view;
  const most = Math.max(...contenders.map(({ costUsd = 0 }) => costUsd), 0);
  const longest = Math.max(...contenders.map(({ ms = 0 }) => ms), 0);
  return (
    <section>
      <h2>{title}</h2>
      <ul class="contenders">
        {contenders.map((contender, at) => (
          <Contender key={at} contender={contender} most={most} longest={longest} />
        ))}
      </ul>
      <Notes list={notes.map((text) => ({ tone: 'warn', text }))} />
      <div class="scroll" tabIndex={0} role="region" aria-label={`All figures of ${title}`}>
        <Figures rows={rows} />
      </div>
    </section>
  );
}

/** Every figure; the first row names the contenders. */
function Figures({ rows: [head = [], ...body] }: Pick<ComparisonView, 'rows'>) {
  return (
    <table>
      <thead>
        <tr>
          {head.map((name, at) => (
            <th key={at}>{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {body.map(([label, ...cells]) => (
          <tr key={label}>
            <th>{label}</th>
            {cells.map((cell, at) => (
              <td key={at} class={label === 'branch' ? 'mono' : ''}>
                {cell === 'unknown' || cell === '–' ? <span class="dim">{cell}</span> : cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type ContenderProps = Readonly<{ contender: ContenderView; most: number; longest: number }>;

function Contender({ contender, most, longest }: ContenderProps) {
  const { id, name, tasks, cost, costUsd, ms, findings } = contender;
  const { tone, word } = standingOf(contender);
  return (
    <li>
      <h3>{id === undefined ? name : <a href={pathOf(id)}>{name}</a>}</h3>
      <Badge tone={tone}>{word}</Badge>
      <dl>
        <dt>Tasks closed</dt>
        <dd>{tasks ? `${tasks.closed} of ${tasks.total}` : '–'}</dd>
        <Meter
          share={tasks && tasks.total > 0 ? tasks.closed / tasks.total : 0}
          tone={tasks?.closed === tasks?.total ? 'good' : 'warn'}
          label="Share of the tasks that are closed"
        />
        <dt>Cost</dt>
        <dd>{costUsd === undefined ? <span class="dim">unknown</span> : cost}</dd>
        <Meter
          share={most === 0 ? 0 : (costUsd ?? 0) / most}
          tone="plain"
          label="Cost compared with the most expensive"
        />
        <dt>Time at work</dt>
        <dd>{ms === undefined ? '–' : formatMs(ms)}</dd>
        <Meter
          share={longest === 0 ? 0 : (ms ?? 0) / longest}
          tone="plain"
          label="Time compared with the slowest"
        />
        <dt>Findings</dt>
        <dd>
          {findings === undefined ? <span class="dim">unknown</span> : formatCount(findings, 'finding')}
        </dd>
      </dl>
    </li>
  );
}

function standingOf({ standing, exit }: ContenderView): {
  tone: 'good' | 'bad' | 'warn' | 'busy' | 'plain';
  word: string;
} {
  switch (standing) {
    case 'finished':
      return exit === 0 ? { tone: 'good', word: 'finished' } : { tone: 'warn', word: 'finished, not clean' };
    case 'running':
      return { tone: 'busy', word: 'running' };
    case 'stopped':
      return { tone: 'bad', word: 'stopped' };
    case 'refused':
      return { tone: 'bad', word: 'could not start' };
    case 'waiting':
      return { tone: 'plain', word: 'not started' };
  }
}

/** Adds one more run to those that are shown. */
function Picker({ ids }: { ids: readonly string[] }) {
  const others = cards.value.filter(({ id, spent }) => !ids.includes(id) && spent.sessions > 0).slice(0, 60);
  if (others.length === 0 || ids.length === 0) return null;
  return (
    <label class="picker">
      <span>{ids.length === 1 ? 'Compare it with' : 'And with'}</span>
      <select
        value=""
        onChange={({ currentTarget: { value } }) => value !== '' && go(comparePath([...ids, value]))}
      >
        <option value="">a run …</option>
        {others.map(({ id, title, run, agent, model }) => (
          <option key={id} value={id}>
            {`${title} · ${[agent, model].filter(Boolean).join(' ')} · ${run.slice(0, 13)}`}
          </option>
        ))}
      </select>
    </label>
  );
}
