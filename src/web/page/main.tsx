// The page's entry.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { formatMoment } from '../../report/text/figure.ts';
import { LastReply } from './acts.tsx';
import { keepToken, takeToken } from './connection.ts';
import { keyHelp, listenToKeys } from './keys.ts';
import { Needs } from './needs.tsx';
import { NotifyButton, tellNeeds } from './notifications.tsx';
import { RunList } from './run-list.tsx';
import { RunPage } from './run-page.tsx';
import { Count } from './small.tsx';
import {
  canAct,
  connection,
  heardAt,
  isListed,
  needs,
  route,
  search,
  shown,
  shownId,
  start,
  waiting,
} from './store.ts';

function App() {
  if (connection.value === 'refused') return <Refused />;
  return (
    <>
      <TopBar />
      <main class={connection.value === 'away' ? 'away' : undefined}>
        {shownId.value === '' ? <Overview /> : <RunPage />}
      </main>
      <BottomBar />
      <Help />
    </>
  );
}

function Overview() {
  if (search.value !== '') return <RunList />;
  return (
    <>
      <h1 class="unseen">Runs</h1>
      <LastReply />
      <Needs list={needs.value} isOne={false} />
      {needs.value.length === 0 ? <p class="dim">{calm()}</p> : null}
      <RunList />
    </>
  );
}

/** Only a list that was read and is still followed can say that nothing waits. */
function calm(): string {
  if (!isListed.value) return 'Reading the runs …';
  return connection.value === 'away'
    ? `Nothing waited for you at ${formatMoment(heardAt.value)}; not connected since.`
    : 'Nothing waits for you.';
}

function TopBar() {
  const card = shown.value;
  const elsewhere = waiting.value.filter((one) => one.card !== card).length;
  return (
    <header class="top line">
      <a class="brand" href="#/">
        pawl
      </a>
      {card ? (
        <>
          <a href="#/">‹ All runs</a>
          <span class="dim cut desk">{card.repository.name}</span>
        </>
      ) : (
        <input
          type="search"
          placeholder="Search"
          aria-label="Search"
          value={search.value}
          onInput={({ currentTarget }) => (search.value = currentTarget.value)}
        />
      )}
      <span class="grow" />
      {connection.value === 'away' ? (
        <span class="tone warn" role="status">
          as of {formatMoment(heardAt.value)}: not connected, trying again …
        </span>
      ) : isListed.value && !canAct.value ? (
        <span class="dim">read only</span>
      ) : null}
      {card && elsewhere > 0 ? (
        <a href="#/">
          <Count number={elsewhere} /> elsewhere
        </a>
      ) : null}
      <NotifyButton />
      <button type="button" class="quiet desk" popovertarget="keys" aria-label="Keys">
        ?
      </button>
    </header>
  );
}

/** Of a phone. */
function BottomBar() {
  return (
    <nav class="bottom" aria-label="Places">
      <a href="#/" aria-current={shownId.value === '' ? 'page' : undefined}>
        Needs you <Count number={waiting.value.length} />
      </a>
      <a href="#/runs">Runs</a>
    </nav>
  );
}

/** An installed page has no address bar: the link can be pasted here. */
function Refused() {
  const open = (text: string): void => {
    if (keepToken(text)) location.reload();
  };
  return (
    <div class="empty stack">
      <h1>pawl</h1>
      <p>This browser has no valid link.</p>
      <p>
        Open the one that <code>pawl web</code> prints in a terminal on its machine, or paste it here:
      </p>
      <input
        aria-label="Link"
        placeholder="http://…/#t=…"
        onInput={({ currentTarget }) => open(currentTarget.value)}
      />
    </div>
  );
}

function Help() {
  return (
    <dialog popover="auto" id="keys" class="box" aria-label="Keys">
      <dl class="pairs stack">
        {keyHelp.map(([key, does]) => (
          <div class="cols" key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}

shownId.subscribe(() => scrollTo(0, 0));
route.subscribe(() => {
  // Once the list is there: a run's page has none on a phone.
  if (location.hash === '#/runs')
    requestAnimationFrame(() => document.querySelector('.runs')?.scrollIntoView());
});
effect(() => {
  const { length } = waiting.value;
  const name = shown.value ? `${shown.value.title} · pawl` : 'pawl';
  document.title = length > 0 ? `(${length}) ${name}` : name;
});
takeToken();
start();
listenToKeys();
tellNeeds(waiting);
const app = document.getElementById('app');
if (app) {
  app.replaceChildren();
  render(<App />, app);
}
