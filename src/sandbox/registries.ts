// The hosts of package registries of common languages, as entries of an egress list. Hosts where anybody can upload anything,
// such as code hosts, are left out.

/** Entries as of `sandbox.allow`. */
export const registries: readonly string[] = [
  // JavaScript
  'registry.npmjs.org:443',
  'registry.yarnpkg.com:443',
  'repo.yarnpkg.com:443',
  'npm.jsr.io:443',
  'jsr.io:443',
  // Python
  'pypi.org:443',
  'files.pythonhosted.org:443',
  // Rust
  'index.crates.io:443',
  'static.crates.io:443',
  'crates.io:443',
  // Go
  'proxy.golang.org:443',
  'sum.golang.org:443',
  // Ruby
  'rubygems.org:443',
  'index.rubygems.org:443',
  // Java, Kotlin, Scala
  'repo.maven.apache.org:443',
  'repo1.maven.org:443',
  'plugins.gradle.org:443',
  'plugins-artifacts.gradle.org:443',
  'services.gradle.org:443',
  'downloads.gradle.org:443',
  // .NET, PHP, Elixir, Dart
  'api.nuget.org:443',
  'repo.packagist.org:443',
  'repo.hex.pm:443',
  'builds.hex.pm:443',
  'pub.dev:443',
  // Debian
  'deb.debian.org',
  'security.debian.org',
];
