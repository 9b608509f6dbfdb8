// The head of a run, which stays in view.
import { formatCount, formatMs, formatShare, formatTime } from '../../report/text/figure.ts';
import { takenUntil } from '../../report/text/run-words.ts';
import type { Card } from '../view.ts';
import { ActButtons, actsOf, type FormKind, LastReply, OpenForm, put } from './acts.tsx';
import { DoneAt, Price, Progress, StateBadge, Words, whyOf } from './small.tsx';
import { canAct, now, replayed, wholeRun } from './store.ts';

export function RunHeader({ card }: { card: Card }) {
  const acts = actsOf(card);
  const whole = wholeRun.value;
  // What waits has buttons of its own.
  const isInSight = (kind: FormKind): boolean => card.isRunning && (kind === 'steer' || kind === 'pause');
  return (
    <header class="run-header stack">
      <div class="headline line">
        <h1>
          <Words text={card.title} />
        </h1>
        <StateBadge card={card} />
        <span class="grow" />
        {canAct.value && (card.state === 'paused' || card.pausing) ? (
          <button type="button" class="primary" onClick={() => void put(card, { do: 'continue' })}>
            Continue
          </button>
        ) : null}
        <ActButtons id={card.id} at="run" kinds={acts.filter(isInSight)} />
        <More card={card} kinds={acts.filter((kind) => !isInSight(kind))} />
      </div>
      {replayed.value ? (
        <div class="figures line">
          {whole ? <Progress tasks={whole.tasks} inWork={whole.tasks.working} /> : null}
        </div>
      ) : (
        <Figures card={card} />
      )}
      <OpenForm card={card} at="run" />
      <LastReply id={card.id} />
    </header>
  );
}

function Figures({ card }: { card: Card }) {
  const { tasks, inWork, forecast, apiEquivalent, spent, review, windows, needs } = card;
  const unsettled = review?.unsettled.length ?? 0;
  // What waits, or the end, says it below.
  const isTold =
    card.state === 'finished' ||
    needs.some(({ kind }) => kind === 'stopped' || kind === 'failed' || kind === 'limit');
  const why = isTold ? undefined : whyOf(card);
  return (
    <div class="figures line">
      <Progress tasks={tasks} inWork={inWork.length} />
      {why ? <span class="why cut">{why}</span> : null}
      {forecast === undefined ? null : (
        <span>
          <DoneAt card={card} /> <span class="dim">done</span>
        </span>
      )}
      {spent.sessions === 0 ? null : (
        <span>
          <Price card={card} /> {apiEquivalent === undefined ? null : <span class="dim">API price</span>}
        </span>
      )}
      {windows.map(({ name = '', utilization = 0, resetsAt = 0 }) => (
        <span key={name}>
          <strong class="figure">{formatShare(utilization)}</strong>{' '}
          <span class="dim">
            {name.replace('five_hour', '5-hour').replace('seven_day', '7-day').replace('_', ' ')} window
            {resetsAt > now.value ? `, resets ${formatTime(resetsAt, now.value)}` : ''}
          </span>
        </span>
      ))}
      <span class="desk">
        <strong class="figure">{formatMs(takenUntil(card, now.value))}</strong>{' '}
        <span class="dim">at work</span>
      </span>
      {unsettled > 0 ? <span class="tone warn">{formatCount(unsettled, 'open finding')}</span> : null}
    </div>
  );
}

function More({ card, kinds }: { card: Card; kinds: readonly FormKind[] }) {
  const rows = {
    Branch: card.branch,
    Plan: card.plan,
    Agent: [card.agent, card.model].filter(Boolean).join(' · '),
    'Works in': card.worktree ?? card.repository.root,
  };
  return (
    <details
      class="more"
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
          currentTarget.open = false;
      }}
    >
      <summary class="button" aria-label="More">
        ⋯
      </summary>
      <div class="menu box stack" tabIndex={-1}>
        <dl class="pairs stack">
          {Object.entries(rows).map(([name, value]) => (
            <div class="cols" key={name}>
              <dt>{name}</dt>
              <dd class="mono">{value}</dd>
            </div>
          ))}
        </dl>
        <div class="line">
          <ActButtons id={card.id} at="run" kinds={kinds} />
        </div>
      </div>
    </details>
  );
}
