// What is left after a run: ready to merge or not, what was proven, what to look at, what it cost.
import { formatCount, formatMs } from '../../report/text/figure.ts';
import type { Card, EndView } from '../view.ts';
import { Pieces } from './receipt.tsx';
import { CommandLine, Cost } from './small.tsx';
import { part, replayed } from './store.ts';

export function End({ card }: { card: Card }) {
  const end = part<EndView>('end');
  if (!end || replayed.value || card.state !== 'finished') return null;
  const { tasks } = card;
  const isGood = card.exit === 0;
  const words = [
    tasks.total === 0 ? '' : `${tasks.proven} of ${formatCount(tasks.total, 'task')} proven`,
    tasks.passed > 0 ? `${tasks.passed} passed` : '',
    tasks.unchecked > 0 ? `${tasks.unchecked} UNCHECKED` : '',
  ].filter(Boolean);
  return (
    <section class={isGood ? 'end good' : 'end warn'} aria-label="The end">
      <header>
        <strong>{isGood ? (end.merge === undefined ? 'Done' : 'Ready to merge') : 'Done, not clean'}</strong>
        <span>{words.join(' · ')}</span>
        <span class="grow" />
        {end.merge === undefined ? null : <CommandLine text={end.merge} />}
      </header>
      <div class="boxes">
        <Proof end={end} />
        <Look end={end} />
        <div>
          <h2>Price</h2>
          <p>
            <strong>
              <Cost spent={card.spent} />
            </strong>{' '}
            {formatCount(card.spent.sessions, 'session')}
          </p>
          <p>
            <strong>{formatMs(card.takenMs)}</strong> at work
          </p>
          {end.changed === undefined ? null : (
            <p>
              <strong>{formatCount(end.changed.files, 'file')}</strong>{' '}
              <span class="plus">+{end.changed.insertions}</span>{' '}
              <span class="minus">−{end.changed.deletions}</span>
            </p>
          )}
        </div>
      </div>
    </section>
  );
}

function Proof({ end: { turnedGreen, stayedGreen, fresh } }: { end: EndView }) {
  return (
    <div>
      <h2>Proof</h2>
      {turnedGreen > 0 ? (
        <p class="good-text">✓ {formatCount(turnedGreen, 'check')} red before, green now</p>
      ) : null}
      {stayedGreen > 0 ? <p>✓ {formatCount(stayedGreen, 'check')} stayed green</p> : null}
      {turnedGreen + stayedGreen === 0 ? <p class="warn-text">No check of a task was run.</p> : null}
      {fresh === 'green' ? <p>✓ all green in a ground of their own</p> : null}
      {fresh === 'red' ? <p class="bad-text">✗ red in a ground of their own</p> : null}
    </div>
  );
}

function Look({ end: { forYou } }: { end: EndView }) {
  return (
    <div>
      <h2>Look at before you merge</h2>
      {forYou.length === 0 ? <p class="dim">Nothing.</p> : null}
      <ul>
        {forYou.map((block, at) => (
          <li key={at}>
            <span aria-hidden="true">☐</span> <Pieces block={block} />
          </li>
        ))}
      </ul>
    </div>
  );
}
