// What the tasks in work have changed so far, while the page is looked at: a list of files, and the newest hunk.
import { useEffect, useState } from 'preact/hooks';
import type { Card } from '../view.ts';
import { readDiff } from './connection.ts';
import { classOf } from './diff.tsx';
import { type DiffFile, parseDiff } from './parse-diff.ts';
import { connection } from './store.ts';

/** How often the difference is read, milliseconds: git looks at the whole tree for it. */
const everyMs = 10_000;
const mostLines = 14;

export function Changes({ card }: { card: Card }) {
  const ids = card.inWork.map(({ id }) => id).join(' ');
  const [files, setFiles] = useState<readonly DiffFile[]>([]);
  useEffect(() => {
    let isHere = true;
    const look = async (): Promise<void> => {
      const texts = await Promise.all(
        ids.split(' ').map((task) =>
          readDiff(card.id, task).then(
            ({ text }) => text,
            () => '',
          ),
        ),
      );
      if (isHere) setFiles(texts.flatMap(parseDiff));
    };
    void look();
    const timer = setInterval(() => void look(), everyMs);
    return () => {
      isHere = false;
      clearInterval(timer);
    };
  }, [card.id, ids]);
  if (connection.value === 'offline') return null;
  const [largest] = files.toSorted((a, b) => b.added + b.removed - a.added - a.removed);
  return (
    <aside class="rail" aria-label="Changes now">
      <h2>
        Changes now <span class="dim">not committed</span>
      </h2>
      {files.length === 0 ? <p class="dim">Nothing yet.</p> : null}
      <ul>
        {files.map(({ name, added, removed }) => (
          <li key={name}>
            <span class="mono">{name}</span> <span class="plus">+{added}</span>{' '}
            <span class="minus">−{removed}</span>
          </li>
        ))}
      </ul>
      {largest === undefined ? null : (
        <div class="diff">
          <pre tabIndex={0}>
            {largest.lines.slice(0, mostLines).map((line, at) => (
              <span key={at} class={classOf(line)}>
                {`${line}\n`}
              </span>
            ))}
          </pre>
        </div>
      )}
    </aside>
  );
}
