// What is left after a run.
import { formatCount, formatMs } from '../../report/text/figure.ts';
import type { Card, EndView } from '../view.ts';
import { Pieces } from './receipt.tsx';
import { CommandLine, Cost, PlusMinus } from './small.tsx';
import { part, replayed } from './store.ts';

export function End({ card }: { card: Card }) {
  const end = part<EndView>('end');
  if (!end || replayed.value || card.state !== 'finished') return null;
  const { tasks, exit, spent, takenMs } = card;
  const { forYou, changed, merge } = end;
  const words = [
    tasks.total === 0 ? '' : `${tasks.proven} of ${formatCount(tasks.total, 'task')} proven`,
    tasks.passed > 0 ? `${tasks.passed} passed` : '',
    tasks.unchecked > 0 ? `${tasks.unchecked} UNCHECKED` : '',
  ].filter(Boolean);
  const isGood = exit === 0;
  const verdict = merge === undefined ? 'Done' : 'Ready to merge';
  return (
    <section class={`end box ${isGood ? 'good' : 'warn'}`} aria-label="The end">
      <header class="line">
        <strong>{isGood ? verdict : 'Done, not clean'}</strong>
        <span class="grow">{words.join(' · ')}</span>
        {merge === undefined ? null : <CommandLine text={merge} />}
      </header>
      <div class="boxes">
        <Proof end={end} />
        <div>
          <h2>Look at before you merge</h2>
          {forYou.length === 0 ? <p class="dim">Nothing.</p> : null}
          {forYou.map((block, at) => (
            <p key={at}>
              <span aria-hidden="true">☐</span> <Pieces block={block} />
            </p>
          ))}
        </div>
        <div>
          <h2>Price</h2>
          <p>
            <strong>
              <Cost spent={spent} />
            </strong>{' '}
            {formatCount(spent.sessions, 'session')}
          </p>
          <p>
            <strong>{formatMs(takenMs)}</strong> at work
          </p>
          {changed === undefined ? null : (
            <p>
              <strong>{formatCount(changed.files, 'file')}</strong>{' '}
              <PlusMinus plus={changed.insertions} minus={changed.deletions} />
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
        <p class="tone good">✓ {formatCount(turnedGreen, 'check')} red before, green now</p>
      ) : null}
      {stayedGreen > 0 ? <p>✓ {formatCount(stayedGreen, 'check')} stayed green</p> : null}
      {turnedGreen + stayedGreen === 0 ? <p class="tone warn">No check of a task was run.</p> : null}
      {fresh === 'green' ? <p>✓ all green in a fresh checkout</p> : null}
      {fresh === 'red' ? <p class="tone bad">✗ red in a fresh checkout</p> : null}
    </div>
  );
}
