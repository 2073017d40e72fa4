import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../../engine/run.ts';
import { createIdleOptions } from '../../engine/run-options.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { seededRandom } from '../../lib/covering/random.ts';
import { isJsonObject, type Json, type JsonObject, readTextMember } from '../../lib/json.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Target } from '../../model/target.ts';
import { describeTool } from '../../setup/paths.ts';
import { readSuites } from '../../setup/read-files.ts';
import type { Case } from '../../suite/suites.ts';
import { type PredictedAnswer, predict } from '../../testing/parts/predict.ts';
import { tamperNames } from '../../wire/build/tamper.ts';
import { serverInitiatedProbes } from '../exploration/exploration.ts';
import { collectPoints } from '../requests/request-points.ts';
import { buildCases } from '../explore/cases.ts';
import { createGround } from '../explore/exploration.ts';
import { compileCases } from '../explore/try-cases.ts';
import { createAlteredCarrier } from '../reference/altered-carrier.ts';
import type { DrawnChoices } from '../space/draw.ts';
import { differingChoices, drawRows, readFreedoms } from '../space/freedoms.ts';
import { workInPlace } from './carrier-place.ts';

const folder = mkdtempSync(join(tmpdir(), 'predicted-'));
afterAll(() => rmSync(folder, { recursive: true }));
const suites = await readSuites([]);
const levels = new Map(suites.rules.map(({ id, level }) => [id, level]));

/** Gives every day its own requests and carriers, the same on every machine. */
const seed = new Date().toISOString().slice(0, 10);

/** Most listed cases of request objects; each day has others. */
const mostListed = 200;
const listed = seededRandom(seed)
  .shuffled(
    [...new Set(collectPoints(suites).map((point) => point.case))].filter(({ area }) => area === 'request-object'),
  )
  .slice(0, mostListed);

/** Requests drawn beside the listed ones. */
const drawn = { values: 300 };

/** Listed cases with an independent request, and requests that no suite lists. */
function casesFor(target: Target, ground: Parameters<typeof compileCases>[1]): readonly Case[] {
  const explored = serverInitiatedProbes(createGround({ suites, target }, serverInitiated), {
    seed,
    round: 1,
    requests: drawn,
  });
  const made = buildCases(explored, 'drawn').map(({ json }) => json);
  return [...listed, ...compileCases(made, ground)];
}

/** Target of a carrier, and all exchanges with it. */
async function sentTo(choices: DrawnChoices | undefined): Promise<{ target: Target; exchanges: readonly Exchange[] }> {
  return workInPlace(folder, async (place) => {
    const { options: carrierOptions, target } = place.prepare(choices);
    const carrier = await createAlteredCarrier({ ...carrierOptions, clock: 'virtual', startAt: Date.now() });
    const idle = createIdleOptions({
      interface: serverInitiated,
      suites,
      target,
      profile: 'hardened',
      tool: describeTool(),
    });
    const options = { ...idle, journal: join(folder, 'journal.jsonl') };
    const cases = casesFor(target, { options, tampers: tamperNames });
    const rules = new Set(suites.rules.map(({ id }) => id));
    const { result, close } = await run({
      ...options,
      suites: { ...suites, cases },
      selected: { cases, invariants: [], rules },
      selection: { what: [], level: 'informational' },
      confirm: false,
      keepGoing: true,
    });
    const messages = [...result.cases].flatMap((one) => one.messages);
    close();
    await carrier.close();
    return { target, exchanges: messages.filter((one): one is Exchange => one.kind === 'exchange') };
  });
}

const redacted = 'client_notification_token';

/** Whether all differences show in the object, which was signed with the usual key. */
const isShown = ({ differences }: Exchange): boolean =>
  differences.every(
    ({ what, change }) => change !== 'raw' && what !== `claims.${redacted}` && /^(?:claims|header)\./.test(what),
  );

const answerOf = ({ response }: Exchange): PredictedAnswer =>
  response === undefined ? 'dropped' : response.status === 200 ? 'accepted' : 'denied';

const errorOf = ({ response }: Exchange): string => /"error" *: *"([^"]*)"/.exec(response?.body ?? '')?.[1] ?? '';

interface Contradiction {
  readonly differences: Exchange['differences'];
  readonly came: string;
  readonly broken: readonly string[];
  readonly open: readonly string[];
}

interface Compared {
  readonly contradictions: readonly Contradiction[];
  readonly determined: number;
  readonly all: number;
}

function compare({ target, exchanges }: Awaited<ReturnType<typeof sentTo>>): Compared {
  // The valid request names the issuer that discovery gives.
  const plain = exchanges.find(({ object, differences }) => object !== undefined && differences.length === 0)?.object;
  const issuer = readTextMember(plain?.claims, 'aud') ?? '';
  const origin = new URL(readTextMember(plain?.claims, 'notification_uri') ?? '').origin;
  const { subscribers } = target;
  // A target file has the paths of our endpoints; a disabled registration does not count.
  const clients = target.clients
    .filter(({ name }) => name !== 'disabled')
    .map((one) => ({ ...one, notificationUris: one.notificationUris.map((path) => origin + path) }));
  const lastUsed = new Map<string, number>();
  const contradictions: Contradiction[] = [];
  let determined = 0;
  let all = 0;
  for (const one of exchanges.toSorted((a, b) => a.sentAt - b.sentAt)) {
    const { object, sentAt } = one;
    if (object === undefined || one.purpose !== 'request' || one.method !== 'POST') continue;
    const claims: Record<string, Json> = isJsonObject(object.claims) ? { ...object.claims } : {};
    const header: JsonObject = isJsonObject(object.header) ? object.header : {};
    const now = sentAt / 1000;
    const key = JSON.stringify([claims['client_id'] ?? null, claims['jti'] ?? null]);
    const used = (lastUsed.get(key) ?? -Infinity) > now - 330;
    lastUsed.set(key, now);
    // The record has a digest in its place.
    if (Object.hasOwn(claims, redacted)) claims[redacted] = 'usual';
    if (!isShown(one) || errorOf(one) === 'temporarily_unavailable') continue;
    const predicted = predict({ header, claims }, { now, issuer, clients, subscribers, used: () => used }, (rule) =>
      levels.get(rule),
    );
    all += 1;
    determined += predicted.outcomes.size < 3 ? 1 : 0;
    if (predicted.outcomes.has(answerOf(one))) continue;
    const { broken, open } = predicted;
    contradictions.push({ differences: one.differences, came: `${answerOf(one)} ${errorOf(one)}`, broken, open });
  }
  return { contradictions, determined, all };
}

const drawnCarriers = ((): readonly DrawnChoices[] => {
  const freedoms = readFreedoms();
  return drawRows(freedoms, { seed, count: 1 }).rows.map((row) => differingChoices(row, freedoms));
})();

describe('what the model predicts comes', () => {
  test.each([['reference', undefined] as const, ...drawnCarriers.map((one, at) => [`drawn ${at + 1}`, one] as const)])(
    'from the %s carrier',
    async (_, choices) => {
      const { contradictions, determined, all } = compare(await sentTo(choices));
      expect(contradictions.slice(0, 20)).toEqual([]);
      expect(determined).toBeGreaterThan(all / 2);
    },
    120_000,
  );
});
