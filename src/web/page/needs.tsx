// The band with what waits for a person, first on every page.

import type { Need } from '../../report/view/run-view.ts';
import type { Card } from '../view.ts';
import { OpenForm } from './form.tsx';
import { NeedActions } from './need-actions.tsx';
import { Badge, Countdown, Words } from './small.tsx';
import { pathOf } from './store.ts';

type Waiting = Readonly<{ card: Card; need: Need }>;

const words: Readonly<Record<Need['kind'], string>> = {
  question: 'Question',
  planning: 'Question',
  failed: 'Failed',
  findings: 'Findings',
  stuck: 'Stuck',
  limit: 'Limit',
  budget: 'Budget',
  crash: 'Crashed',
  stopped: 'Stopped',
};

const tones = { now: 'bad', soon: 'warn', later: 'plain' } as const;

/** What waits; `isOne`: all of it belongs to the run that is shown. */
export function Needs({ list, isOne }: { list: readonly Waiting[]; isOne: boolean }) {
  if (list.length === 0) return null;
  const count = list.filter(({ need }) => need.urgency !== 'later').length;
  return (
    <section class="needs" aria-label="Needs you">
      <h2>
        {count === 0 ? 'Good to know' : 'Needs you'} {count > 0 ? <span class="count">{count}</span> : null}
      </h2>
      <ul>
        {list.map(({ card, need }) => (
          <li key={`${card.id} ${need.kind} ${need.task}`} class={`need ${need.urgency}`}>
            <header>
              <Badge tone={tones[need.urgency]}>{words[need.kind]}</Badge>
              <h3>{need.title}</h3>
              {need.until === undefined ? null : (
                <span class="until">
                  <Countdown until={need.until} />
                </span>
              )}
            </header>
            {isOne ? null : (
              <p class="where">
                <a href={pathOf(card.id)}>{card.title}</a> <span class="dim">{card.repository.name}</span>
              </p>
            )}
            {need.text === '' ? null : (
              <p class="words">
                <Words text={need.text} />
              </p>
            )}
            <NeedActions card={card} need={need} />
            {need.kind === 'budget' ? <OpenForm card={card} at="need" /> : null}
            {need.task === undefined ? null : <OpenForm card={card} at="need" task={need.task} />}
          </li>
        ))}
      </ul>
    </section>
  );
}
