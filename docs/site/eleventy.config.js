// How Eleventy makes the site: pages/ has the templates, lib/ what stands in them. `node build.js` runs it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './lib/catalogue.js';
import { relativeTo } from './lib/html.js';
import { makeSite } from './lib/site.js';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The JSON Schemas, by the names of their files in schema/ of the site. */
const schemaFiles = [
  ...readdirSync(join(root, 'suites/schema')).map((name) => [name, `suites/schema/${name}`]),
  ['result.schema.json', 'reports/result.schema.json'],
];

/** A schema names itself by where it will stand, where that is known. */
function readSchema([name, path], { isPlaced, url }) {
  const schema = JSON.parse(readFileSync(join(root, path), 'utf8'));
  const placed = isPlaced ? { ...schema, $id: `${url}schema/${name}` } : schema;
  return { name, path, title: schema.title ?? name, text: `${JSON.stringify(placed, null, 2)}\n` };
}

export default function configure(eleventy) {
  const site = makeSite(process.env.SITE_URL);
  eleventy.addGlobalData('site', site);
  eleventy.addGlobalData('schemas', schemaFiles.map((one) => readSchema(one, site)));
  eleventy.addGlobalData('layout', 'page.njk');
  eleventy.addFilter('from', (href, page) => relativeTo(page, href));
  /** `docs/index.html` of the address `/docs/`. */
  eleventy.addFilter('fileOf', (url) => url.slice(1).replace(/(^|\/)$/, '$1index.html'));
  // A script, and no JSON: a page that is opened from a disk may load one.
  eleventy.addFilter('script', (value) => JSON.stringify(value).replaceAll('<', '\\u003c'));
  eleventy.addPassthroughCopy({ [join(here, 'assets')]: 'assets', [join(root, 'reports/html/style/base.css')]: 'assets/base.css' });
  eleventy.addPassthroughCopy({ [join(here, 'node_modules/minisearch/dist/umd/index.js')]: 'assets/minisearch.js' });
  for (const file of site.files) eleventy.addPassthroughCopy({ [join(root, file)]: `files/${file}` });
  return { dir: { input: join(here, 'pages'), includes: '_includes' }, markdownTemplateEngine: false };
}
