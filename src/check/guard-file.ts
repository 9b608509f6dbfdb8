// A table of files that guard a project besides its tests: CI definitions and the configuration of linters and type
// checkers, with the lines that loosen them. `definition.ts` follows what a check runs.
import type { Shape } from './language.ts';

/** True for a file that tells a CI service what to run. */
export function isContinuousIntegration(file: string): boolean {
  return ciFiles.some((pattern) => pattern.test(file));
}

/** Patterns of lines that loosen a linter's or type checker's configuration file; none for other files. */
export function loosenings(file: string): readonly Shape[] {
  return guardFiles.find(({ files }) => files.test(file))?.shapes ?? [];
}

const ciFiles: readonly RegExp[] = [
  /^\.github\/(?:workflows|actions)\//,
  /^\.gitlab-ci(?:\.[^/]+)?\.ya?ml$|^\.gitlab\/ci\//,
  /^\.circleci\//,
  /^\.(?:travis|drone|woodpecker|appveyor|cirrus|scrutinizer)\.ya?ml$|^appveyor\.yml$|^\.woodpecker\//,
  /^(?:azure-pipelines|bitbucket-pipelines|buildspec|cloudbuild|codemagic|bitrise)[^/]*\.ya?ml$|^\.azure-pipelines\//,
  /^Jenkinsfile[^/]*$/,
  /^\.(?:buildkite|teamcity|semaphore|gitea\/workflows|forgejo\/workflows)\//,
];

const guardFiles: readonly Readonly<{ files: RegExp; shapes: readonly Shape[] }>[] = [
  {
    files: /(?:^|\/)(?:\.eslintrc(?:\.\w+)?|eslint\.config\.\w+|\.oxlintrc\.json|biome\.jsonc?)$/,
    shapes: [
      { pattern: /['"]?[\w@/-]+['"]?\s*:\s*\[?\s*(?:['"]off['"]|0\s*[,\]}]|0\s*$)/, word: 'rule off' },
      { pattern: /['"]?(?:ignores|ignorePatterns|ignore)['"]?\s*:/, word: 'files ignored' },
      { pattern: /['"]!/, word: 'files ignored' },
    ],
  },
  {
    files: /(?:^|\/)(?:tsconfig(?:\.[\w-]+)?|jsconfig)\.json$/,
    shapes: [
      {
        pattern:
          /"(?:strict\w*|no(?:Implicit|Unused|Unchecked|Fallthrough)\w*|checkJs|exactOptionalPropertyTypes)"\s*:\s*false/,
        word: 'check off',
      },
      {
        pattern: /"(?:skipLibCheck|noCheck)"\s*:\s*true|"exclude"\s*:|"(?:files|include)"\s*:\s*\[\s*\]/,
        word: 'files excluded',
      },
    ],
  },
  {
    files:
      /(?:^|\/)(?:pyproject\.toml|setup\.cfg|tox\.ini|\.?ruff\.toml|\.?mypy\.ini|\.flake8|\.?pylintrc|pyrightconfig\.json)$/,
    shapes: [
      {
        pattern:
          /^\s*"?(?:extend-)?(?:ignore|per-file-ignores|disable|ignore_errors|ignore_missing_imports|exclude|omit)"?\s*[=:]/,
        word: 'checks ignored',
      },
      { pattern: /^\s*"?typeCheckingMode"?\s*[=:]\s*"(?:off|basic)"/, word: 'check off' },
    ],
  },
  {
    files: /(?:^|\/)\.golangci\.(?:ya?ml|toml|json)$/,
    shapes: [
      {
        pattern: /^\s*"?(?:disable|disable-all|exclude\w*|exclude-\w+|exclusions)"?\s*[=:]/,
        word: 'checks ignored',
      },
    ],
  },
  {
    files: /(?:^|\/)Cargo\.toml$/,
    shapes: [
      { pattern: /=\s*(?:"allow"|\{[^}]*level\s*=\s*"allow")/, word: 'lint allowed' },
      { pattern: /^\s*(?:harness|test|doctest)\s*=\s*false/, word: 'tests off' },
    ],
  },
  {
    files: /(?:^|\/)pom\.xml$/,
    shapes: [
      {
        pattern: /<(?:skip|skipTests|skipITs|maven\.test\.skip|testFailureIgnore)>\s*true/,
        word: 'tests off',
      },
    ],
  },
  {
    files: /(?:^|\/)[^/]+\.gradle(?:\.kts)?$/,
    shapes: [
      { pattern: /\b(?:enabled|isEnabled)\s*=?\s*false|\bignoreFailures\s*=?\s*true/, word: 'tests off' },
      { pattern: /-x\s+test\b|\bexcludeTestsMatching\b/, word: 'tests left out' },
    ],
  },
  {
    files: /(?:^|\/)deno\.jsonc?$/,
    shapes: [{ pattern: /"exclude"\s*:/, word: 'files excluded' }],
  },
  {
    files: /(?:^|\/)\.(?:eslint|biome|prettier|stylelint)ignore$/,
    shapes: [{ pattern: /^\s*[^#\s]/, word: 'files ignored' }],
  },
];
