// A row's sessions as hollow bars, checks and questions as marks. Positions are shares of the row's width.
import { formatMoment, formatMs } from '../../report/text/figure.ts';
import type { Bar } from '../view.ts';
import { drawBars, type Range, spreadMarks } from './time-scale.ts';

/** `rests`: of the whole run, behind it. */
export function Lane({ bars, rests, range }: { bars: readonly Bar[]; rests: readonly Bar[]; range: Range }) {
  const sessions = bars.filter(({ kind }) => kind === 'session');
  const marked = bars.filter(({ kind }) => kind === 'checks' || kind === 'question');
  return (
    <div class="lane">
      {drawBars(rests, range).map(({ bar, left, width, count }) => (
        <span key={bar.from} class="rest" style={place(left, width)} title={tell(bar, count)} />
      ))}
      {drawBars(sessions, range).map(({ bar, left, width, count }) => (
        <span
          key={bar.from}
          class={`bar ${bar.tone}${bar.to === undefined ? ' running' : ''}`}
          style={place(left, width)}
          title={tell(bar, count)}
        />
      ))}
      {spreadMarks(marked, range).map(({ bar, left, count }) => (
        <span
          key={bar.kind + bar.from}
          class={`mark tone ${bar.tone}`}
          style={{ left: `${left}%` }}
          title={tell(bar, count)}
        >
          {bar.kind === 'question' ? '?' : signs[bar.tone]}
        </span>
      ))}
    </div>
  );
}

const signs: Readonly<Record<Bar['tone'], string>> = { good: '✓', bad: '✗', warn: '✗', plain: '·' };

function place(left: number, width: number) {
  return { left: `${left}%`, width: `${width}%` };
}

function tell({ says, from, to }: Bar, count: number): string {
  const span = to === undefined ? 'continues' : formatMs(Date.parse(to) - Date.parse(from));
  const others = count > 1 ? `\nand ${count - 1} more beside it, too close to be drawn` : '';
  return `${says}\n${formatMoment(Date.parse(from))}, ${span}${others}`;
}
