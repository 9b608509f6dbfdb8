// What a task has changed, and what the tasks in work have changed so far.
import type { Card, DiffFile, DiffView } from '../view.ts';
import { readDiff, useRead } from './connection.ts';
import { PlusMinus } from './small.tsx';

/** Longer ones are closed at first. */
const mostLines = 400;

/** What pawl ticked in the plan comes last, and closed. */
export function Diff({ diff: { files, leftOut }, plan }: { diff: DiffView; plan: string }) {
  if (files.length === 0) return <p class="dim">Nothing differs.</p>;
  return (
    <div class="stack">
      {files
        .toSorted((a, b) => Number(a.name === plan) - Number(b.name === plan))
        .map((file) => (
          <details key={file.name} open={file.name !== plan && file.lines.length < mostLines}>
            <summary>
              <FileName file={file} />
            </summary>
            <DiffLines lines={file.lines} />
          </details>
        ))}
      {leftOut > 0 ? <p class="dim">and {leftOut} more characters: see it with pawl diff</p> : null}
    </div>
  );
}

function FileName({ file: { name, added, removed, isOutside } }: { file: DiffFile }) {
  return (
    <>
      <span class="mono">{name}</span> <PlusMinus plus={added} minus={removed} />{' '}
      {isOutside ? <span class="flag">not in files:</span> : null}
    </>
  );
}

const classes: Readonly<Record<string, string>> = { '@': 'dim', '+': 'added', '-': 'removed' };

function DiffLines({ lines }: { lines: readonly string[] }) {
  return (
    <pre class="output diff" tabIndex={0}>
      {lines.map((line, at) => (
        <span key={at} class={classes[line.charAt(0)]}>
          {`${line}\n`}
        </span>
      ))}
    </pre>
  );
}

/** Milliseconds: git looks at the whole tree for it. */
const everyMs = 10_000;
const mostOfLargest = 14;

export function Changes({ card }: { card: Card }) {
  const ids = card.inWork.map(({ id }) => id);
  const { value: diffs = [] } = useRead(
    () => Promise.all(ids.map((id) => readDiff(card.id, id).catch(() => undefined))),
    [card.id, ids.join()],
    everyMs,
  );
  const files = diffs.flatMap((diff, at) => (diff?.files ?? []).map((file) => ({ file, task: ids[at] })));
  const [largest] = files.toSorted(({ file: a }, { file: b }) => b.added + b.removed - a.added - a.removed);
  return (
    <aside class="rail stack" aria-label="Changes now">
      <h2>
        Changes now <span class="dim">not committed</span>
      </h2>
      {files.length === 0 ? <p class="dim">Nothing yet.</p> : null}
      <ul>
        {files.map(({ file, task }) => (
          <li key={`${task} ${file.name}`}>
            <FileName file={file} /> {ids.length > 1 ? <span class="dim">{task}</span> : null}
          </li>
        ))}
      </ul>
      {largest === undefined ? null : <DiffLines lines={largest.file.lines.slice(0, mostOfLargest)} />}
    </aside>
  );
}
