// Light, dark, or as the system says; a choice stays in this browser.
import { signal } from '@preact/signals';

type Theme = 'system' | 'light' | 'dark';

const key = 'pawl-theme';
const theme = signal<Theme>(read());

function read(): Theme {
  try {
    const kept = localStorage.getItem(key);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';
  }
}

function keep(): void {
  try {
    localStorage.setItem(key, theme.value);
  } catch {
    // Then it holds for this visit.
  }
}

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = theme.value;
}

const next: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const signs: Readonly<Record<Theme, string>> = { system: '◐', light: '☀', dark: '☾' };

export function ThemeButton() {
  const turn = (): void => {
    theme.value = next[theme.value];
    keep();
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
