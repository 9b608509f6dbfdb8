// A choice of the person that stays in this browser; where it may not be kept, it holds for this visit.
export function readChoice(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function keepChoice(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Then it holds for this visit.
  }
}
