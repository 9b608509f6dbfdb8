// The page's entry: its frame, and which view is shown.
import { computed, effect } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatMoment } from '../../report/text/figure.ts';
import { exported, takeToken } from './connection.ts';
import { LastReply } from './controls.tsx';
import { FleetPage } from './fleet.tsx';
import { isHelpOpen, keyHelp, listenToKeys } from './keys.ts';
import { Needs } from './needs.tsx';
import { NotifyButton, tellNeeds } from './notifications.tsx';
import { RunList } from './run-list.tsx';
import { RunPage } from './run-page.tsx';
import { search } from './searched.ts';
import { StatsPage } from './statistics.tsx';
import { canAct, cards, connection, heardAt, hello, isListed, needs, route, shown, start } from './store.ts';
import { applyTheme, ThemeButton } from './theme.tsx';

function App() {
  if (connection.value === 'refused') return <Refused />;
  return (
    <div class={`frame${exported ? ' offline' : ''}${connection.value === 'away' ? ' away' : ''}`}>
      <TopBar />
      <main>
        <Page />
      </main>
      {exported ? null : <BottomBar />}
      <Help />
    </div>
  );
}

function Page() {
  switch (route.value.page) {
    case 'run':
      return (
        <>
          <RunPage />
          {search.value === '' || exported ? null : <RunList />}
        </>
      );
    case 'stats':
      return <StatsPage />;
    case 'fleet':
      return <FleetPage />;
    case 'runs':
      return <Overview />;
  }
}

function Overview() {
  // While searching, the results are shown.
  if (search.value !== '') return <RunList />;
  return (
    <>
      <h1 class="unseen">Runs</h1>
      {cards.value.map((card) => (
        <LastReply key={card.id} card={card} />
      ))}
      <Needs list={needs.value} isOne={false} />
      {needs.value.length === 0 ? <Calm /> : null}
      <RunList />
    </>
  );
}

/** Only a list that has been read, and is still followed, can say that nothing waits. */
function Calm() {
  if (!isListed.value) return <p class="calm">Reading the runs …</p>;
  if (connection.value === 'away')
    return <p class="calm">Nothing waited for you at {formatMoment(heardAt.value)}; not connected since.</p>;
  return <p class="calm">Nothing waits for you.</p>;
}

function TopBar() {
  const card = shown.value;
  const elsewhere = waiting.value.filter((one) => one.card !== card).length;
  return (
    <header class="top">
      <a class="brand" href="#/">
        pawl
      </a>
      {card && !exported ? (
        <>
          <a class="back" href="#/">
            ‹ All runs
          </a>
          <span class="dim where">{card.repository.name}</span>
        </>
      ) : null}
      <input
        type="search"
        placeholder="Search"
        aria-label="Search runs and what their journals say"
        value={search.value}
        onInput={({ currentTarget }) => (search.value = currentTarget.value)}
      />
      <span class="grow" />
      <Connection />
      {card && elsewhere > 0 ? (
        <a href="#/">
          <span class="count">{elsewhere}</span> elsewhere
        </a>
      ) : null}
      {exported ? null : <NotifyButton />}
      {hello.value?.fleet ? <a href="#/fleet">Fleet</a> : null}
      {exported ? null : (
        <a class="stats-link" href="#/stats">
          Statistics
        </a>
      )}
      <ThemeButton />
      <button type="button" class="quiet keys" onClick={() => (isHelpOpen.value = true)} aria-label="Keys">
        ?
      </button>
    </header>
  );
}

/** What a thumb reaches. */
function BottomBar() {
  const find = (): void => document.querySelector<HTMLElement>('input[type=search]')?.focus();
  const count = waiting.value.length;
  return (
    <nav class="bottom" aria-label="Places">
      <a href="#/" aria-current={route.value.page === 'runs' ? 'page' : undefined}>
        Needs you {count > 0 ? <span class="count">{count}</span> : null}
      </a>
      <a href="#/runs">Runs</a>
      <a href="#/stats" aria-current={route.value.page === 'stats' ? 'page' : undefined}>
        Statistics
      </a>
      <button type="button" class="quiet" onClick={find}>
        Search
      </button>
    </nav>
  );
}

function Connection() {
  switch (connection.value) {
    case 'live':
      return canAct.value || hello.value === undefined ? null : <span class="dim">read only</span>;
    case 'offline':
      return <span class="dim">exported</span>;
    case 'starting':
    case 'hidden':
      return null;
    case 'away':
      return (
        <span class="warn-text" role="status">
          as of {formatMoment(heardAt.value)}: not connected, trying again …
        </span>
      );
    case 'refused':
      return null;
  }
}

function Refused() {
  return (
    <div class="empty refused">
      <h1>pawl</h1>
      <p>This tab has no valid link.</p>
      <p class="dim">
        Open the one that <code>pawl web</code> prints in a terminal on its machine. A link from a message
        works if another tab of this browser shows the dashboard.
      </p>
    </div>
  );
}

function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isHelpOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isHelpOpen.value]);
  const close = (): void => {
    isHelpOpen.value = false;
  };
  return (
    <dialog ref={dialog} aria-label="Keys" onClose={close} {...{ closedby: 'any' }}>
      <dl>
        {keyHelp.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}

const waiting = computed(() => needs.value.filter(({ need }) => need.urgency !== 'later'));

let lastPage = '';
effect(() => {
  const { value } = route;
  const page = value.page === 'run' ? value.id : value.page;
  if (page !== lastPage) {
    // What was searched for in one place would go on filtering the next.
    search.value = '';
    scrollTo(0, 0);
  }
  lastPage = page;
  if (location.hash === '#/runs') document.querySelector('.runs')?.scrollIntoView();
});
takeToken();
applyTheme();
start();
listenToKeys();
tellNeeds(needs);
effect(() => {
  const { length } = waiting.value;
  const count = length > 0 ? `(${length}) ` : '';
  document.title = shown.value ? `${count}${shown.value.title} · pawl` : `${count}pawl`;
  const colour = length > 0 ? '%23d1242f' : '%236e7781';
  const icon = `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><circle cx='8' cy='8' r='6' fill='${colour}'/></svg>`;
  document.querySelector('link[rel=icon]')?.setAttribute('href', icon);
});
const app = document.getElementById('app');
if (app) {
  app.replaceChildren();
  render(<App />, app);
}
