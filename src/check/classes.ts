// Pure. What kind of file a path is, by its name alone; what is in no row is source.
import { matchesAny } from '../glob.ts';

export type FileClass =
  | 'lock'
  | 'deps'
  | 'config'
  | 'support'
  | 'test'
  | 'docs'
  | 'types'
  | 'built'
  | 'source';

/**
 * `named`: what a check runs or a runner's settings load is config, unless a runner starts it as a test; so is code
 * beside it in a folder of tools.
 */
export function classify(file: string, named: ReadonlySet<string> = new Set()): FileClass {
  const found = table.find(([, globs]) => matchesAny(file, globs))?.[0] ?? 'source';
  if (found === 'test' && isStarted(file)) return found;
  const [folder] = ofTools.exec(file) ?? [];
  const isBeside = folder !== undefined && [...named].some((name) => name.startsWith(folder));
  return named.has(file) || isBeside ? 'config' : found;
}

const ofTools = /^(?:tools|(?:(?!(?:src|lib|tests?)\/)[^/]+\/)*?(?<!^packages\/)(?:scripts?|ci))\//;

export function isRunnableTest(file: string): boolean {
  return classify(file) === 'test' && isStarted(file);
}

export function isOfTests(file: string): boolean {
  const isScript = ofTools.test(file) && file.endsWith('sh');
  return !isScript && classify(file.replace(/\.(?:ba|z)?sh$/, '.js')) === 'test';
}

/** Code that tests use, not one of them. */
export function isTestHelper(file: string): boolean {
  const found = classify(file);
  return isCode(file) && (found === 'support' || (found === 'test' && !isStarted(file)));
}

/** That a test runner may start or load. */
export const isCode = (file: string): boolean =>
  /\.(?:[cm]?[jt]sx?|py|go|rb|php|java|kt|scala|c(?:c|pp|s)?|rs|swift|dart|exs|t|bats|feature)$/.test(file);

const isStarted = (file: string): boolean => isCode(file) && !helper.test(file);

const helper = /helper|util|support|common|setup|__init__/i;

/** The first row that fits decides. A glob without a slash: any folder; `./`: the root. */
const table: readonly (readonly [FileClass, readonly string[]])[] = [
  [
    'lock',
    [
      '{package-lock,npm-shrinkwrap}.json',
      '{yarn,Cargo,poetry,uv,Pipfile,Gemfile,composer,flake,bun,deno,mix,pubspec,Podfile}.lock',
      '{pnpm-lock.yaml,bun.lockb,go.sum,gradle.lockfile}',
    ],
  ],
  ['deps', ['go.mod', 'requirements*.txt', '{Pipfile,Gemfile}', '.gitmodules']],
  [
    'config',
    [
      '{conftest,sitecustomize,usercustomize,setup,noxfile}.py',
      '{package,composer,deno,turbo,nx,lerna,biome,angular,cypress,testem,nightwatch,jasmine}.{json,jsonc,json5}',
      '[tj]sconfig*.json',
      '*.{config,conf,workspace}.*',
      '.*{rc,ignore}',
      '.*rc.{json,jsonc,js,cjs,mjs,ts,yaml,yml,toml}',
      '.{env*,rspec,editorconfig,gitattributes,tool-versions,node-version,python-version,ruby-version}',
      '.{flake8,golangci.*,pre-commit-config.yaml,pnp.*,pnpmfile.*,travis.yml,gitlab-ci.yml}',
      '{GNUmakefile,[Mm]akefile,*.mk}',
      '{.,}[Jj]ustfile',
      '{[Tt]askfile,[Rr]akefile,[Gg]runtfile,[Gg]ulpfile}*',
      '{CMakeLists.txt,*.cmake,meson.build,BUILD,BUILD.bazel,WORKSPACE,MODULE.bazel}',
      '{{build,settings}.gradle*,gradle.properties,pom.xml}',
      '*.{csproj,fsproj,props,targets,sln,xctestplan,pth}',
      '{build.rs,rust-toolchain*,go.work,Cargo.toml}',
      '{{.,}ruff,pyproject,pytest,mise,bunfig}.toml',
      '{tox,{.,}pytest,mypy}.ini',
      '{setup.cfg,phpunit*.xml*,mix.exs,pnpm-workspace.yaml,codecov.yml,appveyor.yml,dart_test.yaml}',
      '{Dockerfile*,Jenkinsfile}',
      '{docker-,}compose*.{yml,yaml}',
      '{*.{sh,bash,zsh},gradlew,mvnw}',
      './{.github,.circleci,.husky,.cargo,.config,.mvn,.devcontainer}/',
    ],
  ],
  [
    'support',
    [
      '{__snapshots__,tap-snapshots,snapshots,fixture,fixtures,__fixtures__,__mocks__}/',
      '{testdata,test-data,cassettes,golden}/',
      '*.{snap,golden}',
      '*.approved.*',
    ],
  ],
  [
    'test',
    [
      '{test,tests,__tests__,spec,specs,e2e,testing,cypress,features,integration-test,integration-tests}/',
      'test-d/',
      '{test,tests}.*',
      'test[_-]*.*',
      '*[._-]{test,tests,spec,e2e,cy,test-d}.*',
      '*{Test,Tests,TestCase,Spec,IT}.{java,kt,scala,cs,swift,php,groovy}',
      '*.{feature,bats,t}',
    ],
  ],
  [
    'docs',
    [
      '*.{md,mdx,rst,adoc,txt,png,jpg,jpeg,gif,svg,ico,pdf}',
      './*.{yml,yaml,json}',
      '{doc,docs,examples,example,website}/',
      '{bench,benchmarks}/',
      '*[._-]bench.*',
      '{LICENSE,LICENCE,AUTHORS,CHANGELOG,CHANGES,HISTORY,NOTICE,CODEOWNERS,README}*',
      '.mailmap',
    ],
  ],
  ['types', ['*.d.{ts,mts,cts}', '*.pyi', 'py.typed', '*.js.flow']],
  ['built', ['{dist,build,lib-cov,out,coverage,vendor,node_modules,.venv}/', '*.min.{js,css}', '*.map']],
];
