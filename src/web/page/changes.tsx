// What the tasks in work have changed so far.
import { useEffect, useState } from 'preact/hooks';
import { type DiffFile, parseDiff } from '../parse-diff.ts';
import type { Card } from '../view.ts';
import { readDiff } from './connection.ts';
import { DiffLines } from './diff.tsx';
import { PlusMinus } from './small.tsx';

/** Milliseconds: git looks at the whole tree for it. */
const everyMs = 10_000;
const mostLines = 14;

/** `isOutside`: the task's `files:` do not name it. */
type Change = DiffFile & Readonly<{ task: string; isOutside: boolean }>;

export function Changes({ card }: { card: Card }) {
  const ids = card.inWork.map(({ id }) => id).join(' ');
  const files = useChanges(card.id, ids);
  const [largest] = files.toSorted((a, b) => b.added + b.removed - a.added - a.removed);
  return (
    <aside class="rail stack" aria-label="Changes now">
      <h2>
        Changes now <span class="dim">not committed</span>
      </h2>
      {files.length === 0 ? <p class="dim">Nothing yet.</p> : null}
      <ul>
        {files.map(({ name, added, removed, task, isOutside }) => (
          <li key={`${task} ${name}`}>
            <span class="mono">{name}</span> <PlusMinus plus={added} minus={removed} />{' '}
            {ids.includes(' ') ? <span class="dim">{task}</span> : null}{' '}
            {isOutside ? <span class="flag">not in files:</span> : null}
          </li>
        ))}
      </ul>
      {largest === undefined ? null : <DiffLines lines={largest.lines.slice(0, mostLines)} />}
    </aside>
  );
}

function useChanges(run: string, ids: string): readonly Change[] {
  const [files, setFiles] = useState<readonly Change[]>([]);
  useEffect(() => {
    let isHere = true;
    const read = async (task: string): Promise<readonly Change[]> => {
      const { text, outside } = await readDiff(run, task).catch(() => ({ text: '', outside: [] }));
      const isOutside = ({ name }: DiffFile): boolean => outside.some((one) => one === name);
      return parseDiff(text).map((file) => ({ ...file, task, isOutside: isOutside(file) }));
    };
    const look = async (): Promise<void> => {
      const all = await Promise.all(ids.split(' ').map(read));
      if (isHere) setFiles(all.flat());
    };
    void look();
    const timer = setInterval(() => void look(), everyMs);
    return () => {
      isHere = false;
      clearInterval(timer);
    };
  }, [run, ids]);
  return files;
}
