// node ci/release/check.js TAG [--notes]: checks that tag, package and changelog name the same version; with --notes, prints the
// changelog's section.
import { readFileSync } from 'node:fs';
import process from 'node:process';

const [tag, notes] = process.argv.slice(2);
const read = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

function fail(message) {
  process.stderr.write(`ci/release/check.js: ${message}\n`);
  process.exit(1);
}

if (tag === undefined || !/^v\d+\.\d+\.\d+(-rc\.\d+)?$/.test(tag)) fail(`${tag ?? 'no tag'} is not as v1.0.0 or v1.0.0-rc.1`);
const version = tag.slice(1);
const { version: packaged } = JSON.parse(read('package.json'));
const { version: locked } = JSON.parse(read('package-lock.json'));
if (packaged !== version) fail(`package.json has ${packaged}, the tag ${version}`);
if (locked !== version) fail(`package-lock.json has ${locked}, the tag ${version}`);
const sections = read('CHANGELOG.md').split(/^## /m).slice(1);
const section = sections.find((one) => one.startsWith(`[${version}] - `));
if (section === undefined) fail(`CHANGELOG.md has no section [${version}] with its day`);
if (!/^\[.*\] - \d{4}-\d\d-\d\d\n/.test(section)) fail(`the section [${version}] of CHANGELOG.md has no day`);
process.stdout.write(notes === '--notes' ? section.replace(/^.*\n+/, '') : `version ${version}\n`);
