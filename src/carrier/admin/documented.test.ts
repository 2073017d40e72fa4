import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type Json } from '../json.ts';
import { parties } from '../testing/calls.ts';
import { openSetup, textMember, type TestSetup } from '../testing/setup.ts';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

interface Route {
  readonly method: string;
  readonly path: string;
  /** First body of the row, with placeholders. */
  readonly body: string | undefined;
  /** Members of the response; undefined if the row does not list them. */
  readonly members: readonly string[] | undefined;
}

const page = read('docs/simulator.md');

/** Routes of the table of docs/simulator.md, in order. */
const documented: readonly Route[] = [
  ...page.matchAll(/^\| (`(?:GET|POST|PUT|DELETE) .*) \| (.*)\| (.*) \|$/gm),
].flatMap(([, requests = '', bodies = '', response = '']) =>
  [...requests.matchAll(/`(\w+) (\S+)`/g)].map(([, method = '', path = '']) => ({
    method,
    path,
    body: /`(\{.*?\})`/.exec(bodies)?.[1],
    members: /^`\{ (.*?) \}`/.exec(response)?.[1]?.split(', '),
  })),
);

/** Keys of a table of the source, which its loop makes routes of. */
function keysOf(source: string, table: string): readonly string[] {
  const [, text = ''] = new RegExp(`^const ${table}\\b.*?=\\s+\\{\\n(.*?)^ {0,2}\\};$`, 'ms').exec(source) ?? [];
  return [...text.matchAll(/^ {2,4}'?([a-z-]+)'?: (?=\(|record|\w+,$)/gm)].map(([, name = '']) => name);
}

/** Routes of the source, with the placeholders of the page. */
function routesOfSource(): readonly string[] {
  const source = ['server', 'accounts'].map((name) => read(`src/carrier/admin/${name}.ts`)).join('\n');
  const made = [
    ...keysOf(source, 'userActs').map((name) => `POST /requests/:id/${name}`),
    ...[...keysOf(source, 'simChanges'), ...keysOf(source, 'profileChanges'), 'link', 'unlink'].map(
      (name) => `POST /subscribers/:name/${name}`,
    ),
  ];
  const literal = [...source.matchAll(/app\.(get|post|put|delete)\('([^']+)'/g)].map(
    ([, method = '', path = '']) => `${method.toUpperCase()} ${path}`,
  );
  const names = { ':id': 'ID', ':name': 'NAME', ':clientId': 'CLIENT', ':kid': 'KID' } as const;
  return [...literal, ...made].map((route) =>
    Object.entries(names).reduce((text, [parameter, name]) => text.replace(parameter, name), route),
  );
}

let setup: TestSetup;
beforeAll(async () => {
  setup = await openSetup();
});
afterAll(() => setup.close());

async function values(): Promise<Readonly<Record<string, string>>> {
  const response = await setup.authorize();
  return {
    ID: textMember(response.body, 'auth_req_id'),
    NAME: 'first',
    CLIENT: parties.main.id,
    KID: 'conftestkey01',
    SUB: encodeURIComponent(setup.sub('first')),
    MILLISECONDS: String((setup.now() + 1) * 1000),
  };
}

describe('the admin API in docs/simulator.md', () => {
  test('is every route that there is, and no other', () => {
    const routes = documented.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
    expect(routes.toSorted()).toEqual(routesOfSource().toSorted());
    expect(routes.length).toBeGreaterThan(30);
  });

  test.each(documented)('$method $path: the body is taken, and the response has what the row says', async (route) => {
    const given = await values();
    const fill = (text: string): string =>
      text.replaceAll(/\b(?:ID|NAME|CLIENT|KID|SUB|MILLISECONDS)\b/g, (name) => given[name] ?? name);
    const body: Json | undefined = route.body === undefined ? undefined : (JSON.parse(fill(route.body)) as Json);
    const response = await setup.admin(route.method, fill(route.path), body);
    expect([response.status, response.body]).toEqual([200, expect.anything()]);
    if (route.members !== undefined) expect(Object.keys(response.body)).toEqual(route.members);
    if (route.method !== 'POST' || !route.path.startsWith('/requests/')) return;
    expect(response.body['state']).toBe({ approve: 'completed', deny: 'denied' }[route.path.slice(13)] ?? 'pending');
  });
});

describe('POST /codes', () => {
  const ask = (scope: string) =>
    setup.admin('POST', '/codes', { client_id: parties.main.id, subscriber: 'first', scope });

  test('gives a code for registered scopes', async () => {
    expect((await ask('openid name')).body).toEqual({ code: expect.any(String) as string });
  });

  test('refuses a scope that the client is not registered for, by its name', async () => {
    const { status, body } = await ask('openid nmae');
    expect(status).toBe(400);
    expect(isJsonObject(body) && body['error_description']).toMatch(
      /^scope names "nmae"; the client is registered for openid name /,
    );
  });
});
