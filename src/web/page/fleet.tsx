// The fleet: who works, what waits, how far each run is, what an account may spend; each with its age.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import {
  adviceOf,
  describeLast,
  type FleetJob,
  type FleetView,
  heads,
  isThere,
  toneOf,
} from '../../report/status/fleet-view.ts';
import { formatCount, formatMs } from '../../report/text/figure.ts';
import type { FleetLook } from '../view.ts';
import { readFleet } from './connection.ts';
import { Ago, Badge, Meter, Words } from './small.tsx';
import { cards, now, pathOf } from './store.ts';

/** Interval between two looks, milliseconds. */
const lookMs = 3_000;

export function FleetPage() {
  const [look, setLook] = useState<Readonly<{ told: FleetLook; at: number }> | undefined>();
  const [error, setError] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isHere = true;
    const ask = async (): Promise<void> => {
      if (!document.hidden)
        await readFleet().then(
          (told) => isHere && setLook({ told, at: Date.now() }),
          (cause: Error) => isHere && setError(cause.message),
        );
      if (isHere) timer = setTimeout(ask, lookMs);
    };
    void ask();
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, []);
  if (!look) return <p class="dim">{error === '' ? 'Asking the database …' : error}</p>;
  const { seen, away } = look.told;
  // All by one clock, this browser's.
  const age = (ms: number): string =>
    formatMs(Math.max(1_000, ms + (seen?.ageMs ?? 0) + Math.max(0, now.value - look.at)));
  return (
    <div class="fleet">
      <h1>Fleet</h1>
      {away ? (
        <div role="status">
          <p class="warn-text">{sentenceOf(away.why)}</p>
          {away.hint === undefined ? null : <p class="dim">{away.hint}</p>}
        </div>
      ) : null}
      {seen ? (
        <>
          <p class="dim">
            {seen.fleet.database}, as it was {age(0)} ago
          </p>
          <Whole fleet={seen.fleet} age={age} />
        </>
      ) : null}
    </div>
  );
}

function sentenceOf(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

type Age = (ms: number) => string;

function Whole({ fleet, age }: { fleet: FleetView; age: Age }) {
  const { workers, jobs } = fleet;
  return (
    <>
      <Part title="Workers">
        {workers.length === 0 ? (
          <p class="dim">
            None: <code>pawl fleet work</code> starts one.
          </p>
        ) : (
          <ul class="workers">
            {workers.map((worker, at) => (
              <Worker key={at} worker={worker} age={age} />
            ))}
          </ul>
        )}
      </Part>
      {Object.entries(heads).map(([state, title]) => {
        const found = jobs.filter((job) => job.state === state);
        return found.length === 0 ? null : (
          <Part key={state} title={title}>
            <ul class="jobs">
              {found.map((job) => (
                <Job key={job.id} job={job} age={age} />
              ))}
            </ul>
          </Part>
        );
      })}
      {jobs.length === 0 ? (
        <p class="dim">
          The queue is empty: <code>pawl fleet submit plan.md</code> puts a plan into it.
        </p>
      ) : null}
    </>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Worker({ worker, age }: { worker: FleetView['workers'][number]; age: Age }) {
  const { name, busy, slots, repos, says, version, ageMs } = worker;
  return (
    <li>
      <h3>{name}</h3>
      {isThere(worker) ? (
        <Badge tone={says !== '' ? 'warn' : busy > 0 ? 'busy' : 'plain'}>
          {busy} of {formatCount(slots, 'slot')} at work
        </Badge>
      ) : (
        <Badge tone="bad">silent</Badge>
      )}
      <Note tone="warn-text" text={says === '' ? undefined : says} />
      <p class="dim">{repos.join(', ')}</p>
      <p class="dim">
        pawl {version}, told {age(ageMs)} ago
      </p>
    </li>
  );
}

function Job({ job, age }: { job: FleetJob; age: Age }) {
  const { id, plan, base, repo, by, after, run, result, seen, submitted, lack } = job;
  const here = run === undefined ? undefined : cards.value.find((card) => card.run === run);
  const advice = adviceOf(job);
  const last = describeLast(job);
  return (
    <li>
      <p class="line">
        <span class="mono">{here ? <a href={pathOf(here.id)}>{plan}</a> : (plan ?? 'not a pawl job')}</span>
        {base === undefined ? null : <span class="dim">on {base}</span>}
        {result ? <Badge tone={toneOf(job)}>{result.kind}</Badge> : null}
      </p>
      {result ? <Note text={result.says} /> : null}
      <Note tone="dim" text={advice} />
      <Note tone="warn-text" text={last} />
      <Note tone="warn-text" text={lack} />
      {seen && !result ? <Progress seen={seen} age={age} /> : null}
      {job.state === 'active' && !seen ? <p class="dim">starting</p> : null}
      <p class="dim">
        {[repo, after && `after ${after.slice(0, 8)}`, by].filter(Boolean).join(' · ')} ·{' '}
        <Ago at={submitted} /> · <span class="mono">{id.slice(0, 8)}</span>
      </p>
    </li>
  );
}

function Note({ text, tone = '' }: { text: string | undefined; tone?: string }) {
  if (text === undefined) return null;
  return (
    <p class={tone}>
      <Words text={text} />
    </p>
  );
}

function Progress({ seen, age }: { seen: NonNullable<FleetJob['seen']>; age: Age }) {
  const { tasks, task, worker, ageMs } = seen;
  return (
    <>
      <Meter
        share={tasks.total === 0 ? 0 : tasks.closed / tasks.total}
        label={`${tasks.closed} of ${tasks.total} tasks closed`}
      />
      <p>
        {tasks.closed} of {formatCount(tasks.total, 'task')}
        {task ? `, at ${task.id}: ${task.title}` : ''}
      </p>
      <p class="dim">
        {worker}, told {age(ageMs)} ago
      </p>
    </>
  );
}
