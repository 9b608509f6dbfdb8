// Keeps known secrets out of everything pawl derives: it knows values, not patterns.

const namesSecret = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** A function that replaces the values of secret-named environment variables, 8 characters or longer, by their names. */
export function maskSecrets(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    value && value.length >= 8 && namesSecret.test(name) ? [{ name, value }] : [],
  );
  if (secrets.length === 0) return (text) => text;
  // As JSON text, so that a value with quotes or line ends is found in a journal line too.
  const forms = secrets.flatMap(({ name, value }) => {
    const escaped = JSON.stringify(value).slice(1, -1);
    return escaped === value
      ? [{ name, value }]
      : [
          { name, value: escaped },
          { name, value },
        ];
  });
  return (text) => forms.reduce((masked, { name, value }) => masked.replaceAll(value, `[${name}]`), text);
}
