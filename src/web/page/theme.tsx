// Light, dark, or as the system says; a choice stays in this browser.
import { signal } from '@preact/signals';
import { keepChoice, readChoice } from './kept-choice.ts';

type Theme = 'system' | 'light' | 'dark';

const key = 'pawl-theme';
const theme = signal<Theme>(read());

function read(): Theme {
  const kept = readChoice(key);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = theme.value;
}

const next: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const signs: Readonly<Record<Theme, string>> = { system: '◐', light: '☀', dark: '☾' };

export function ThemeButton() {
  const turn = (): void => {
    theme.value = next[theme.value];
    keepChoice(key, theme.value);
    applyTheme();
  };
  return (
    <button
      type="button"
      class="quiet"
      onClick={turn}
      aria-label={`Colours: ${theme.value}`}
      title={`Colours: ${theme.value}`}
    >
      {signs[theme.value]}
    </button>
  );
}
