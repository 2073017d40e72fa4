import type { ResponseObservation } from '../../judge/observation.ts';
import { isJsonObject, plainText } from '../../lib/json.ts';
import type { Client } from '../../model/target.ts';
import type { Step, Case } from '../../suite/suites.ts';
import { perform } from '../act/verb.ts';
import { type Assignment, type CaseContext, Unmet, type World, type RunServices } from '../context/case-context.ts';
import { closeInboxes } from '../context/inbox.ts';
import { openContext, type Opening } from '../context/open-context.ts';
import { resolveUri, carrierNow } from '../context/scope.ts';
import { drive } from '../drive/drive.ts';
import { type Found, ok, problem, skipped, type Whose } from './note.ts';
import type { Position } from '../../model/rule.ts';
import { MissingValue } from '../../model/suite.ts';
import { isOff } from '../../wire/send/skew.ts';
import { awaitDenied } from '../case/deliveries.ts';
import { Interrupted } from '../clock/timeline.ts';

const position: Position = { file: 'preflight', line: 1, column: 1 };

interface Preflight extends Pick<Opening, 'assignment' | 'order'> {
  readonly id: string;
  /** Tag of the subscriber; default: consented. */
  readonly tag?: string;
  readonly steps?: readonly Step[];
}

/** Acts in a case without rules, where nothing is judged. */
async function inCase<T>(
  { id, assignment, order = 0, tag = 'consented', steps = [] }: Preflight,
  world: World,
  act: (ctx: CaseContext) => Promise<T>,
): Promise<T> {
  const given: Case = {
    id,
    title: 'What the target file says is tried',
    suite: 'preflight',
    area: 'preflight',
    position,
    rules: [],
    client: assignment.client.name,
    subscriber: tag,
    exclusive: false,
    requires: [],
    receiver: [],
    eventReceiver: [],
    detects: [],
    each: [],
    steps,
  };
  const ctx = openContext(world, { case: given, assignment, order });
  try {
    return await act(ctx);
  } finally {
    closeInboxes(ctx);
  }
}

const plainName = 'plain';

const otherwise =
  'are keys, redirect_uris and notification_uris registered as the file has them, and receiver and mccmnc right?';

function adviceOn(
  { status = 0, noResponse, body }: ResponseObservation,
  { client, subscriber }: Assignment,
  world: World,
): { readonly whose?: Whose; readonly change: string } {
  if (noResponse !== undefined) return { whose: 'network', change: 'see what is said of the endpoints' };
  if (status >= 500) {
    return { whose: 'carrier', change: 'the carrier has to fix it: a valid request is answered with 200' };
  }
  if (status === 404) return { change: `is this the endpoint ${world.interface.requestEndpoint}?` };
  const error = isJsonObject(body) ? `${plainText(body['error'])} ${plainText(body['error_description'])}` : '';
  const hint = world.interface.refusalHints.find(({ matches }) => matches.test(error));
  const notificationUri = resolveUri(client.notificationUris[0] ?? '', world.receiver);
  const { issuer } = world.endpoints;
  const asked = { client, subscriber, notificationUri, issuer };
  return { change: hint?.change(asked) ?? otherwise };
}

async function withdraw(ctx: CaseContext, { granted }: ResponseObservation, about: string): Promise<Found> {
  const accepted = 'a plain request is accepted';
  if (ctx.world.target.drivers['deny'] === undefined) {
    const left = granted === undefined ? 'it stays pending' : `it stays pending for ${granted} s`;
    return ok(about, `${accepted}; ${left}, because there is no driver for deny`);
  }
  try {
    const { done, summary } = await drive({ action: 'deny', of: plainName, step: 'deny' }, ctx);
    return ok(about, done ? `${accepted}, and denied again` : `${accepted}; deny: ${summary}`);
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    const description = `${accepted}, but ${ctx.redactor.text(error.message)}`;
    return problem(about, { description, change: 'fix the driver for deny' });
  }
}

/** Carrier's own description, redacted because it may repeat what was sent. */
function saidBy({ summary, body }: ResponseObservation, { redactor }: CaseContext): string {
  const description = isJsonObject(body) ? body['error_description'] : undefined;
  return redactor.text((typeof description === 'string' ? `${summary}: ${description}` : summary).slice(0, 300));
}

async function judgePlain(step: Step, ctx: CaseContext, about: string): Promise<Found> {
  const { client, second, subscriber, world } = ctx;
  const { messages, requestId, requestEndpoint } = world.interface;
  const observation = await perform(step, ctx);
  if (observation.kind !== 'response') throw new TypeError('a valid request has a response');
  ctx.state.traces.set(step.name, observation);
  ctx.redactor.learnMembers(observation.claims);
  if (observation.outcome !== 'accepted') {
    const description = `a plain request is not accepted: ${saidBy(observation, ctx)}`;
    return problem(about, { description, ...adviceOn(observation, { client, second, subscriber }, world) });
  }
  if (messages.hasRequestId(observation.body)) return withdraw(ctx, observation, about);
  const description = `a plain request is answered without an ${requestId}: ${observation.summary}`;
  const change = `an accepted request is answered with a JSON object that has one; is this the endpoint ${requestEndpoint}?`;
  return problem(about, { whose: 'carrier', description, change });
}

async function askOne(assignment: Assignment, order: number, world: World): Promise<Found> {
  const act = world.interface.validRequest({});
  const step = { name: plainName, position, act, times: 1, control: false, expectations: [], record: [] };
  const id = `client ${assignment.client.name}`;
  try {
    return await inCase({ id, assignment, order, steps: [step] }, world, (ctx) => judgePlain(step, ctx, id));
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    return problem(id, { description: error.message, change: otherwise });
  }
}

/** Reason not to expect that a plain request of this client is accepted, or undefined. */
function whyNot(client: Client, { interface: certified }: RunServices): string | undefined {
  if (client.name === 'disabled') return 'it is disabled';
  return client.keys.length === 0 ? 'it has no key' : certified.refuses(client);
}

function assign(client: Client, tag: string, { target }: RunServices): Assignment | undefined {
  const subscriber = target.subscribers.find(({ tags, subs }) => tags.includes(tag) && subs[client.name] !== undefined);
  return subscriber && { client, subscriber, second: undefined };
}

/** Sends a plain request of each client for a consented subscriber; denies it if there is a driver for deny. */
export async function checkClients(world: World): Promise<readonly Found[]> {
  const notes: Found[] = [];
  for (const [order, client] of world.target.clients.entries()) {
    const about = `client ${client.name}`;
    const skip = whyNot(client, world);
    const assignment = assign(client, 'consented', world);
    if (skip !== undefined) notes.push(skipped(about, `not asked: ${skip}`));
    else if (assignment === undefined) {
      const description = 'there is no subscriber with the tag consented and a sub for it';
      const change = `name one under "subscribers", with "subs: { ${client.name} }"`;
      notes.push(problem(about, { description, change }));
    } else notes.push(await askOne(assignment, order, world));
  }
  return notes;
}

/** Tries one registration; a missing requirement is no mistake. */
async function tryOne(
  { about, tag = 'consented', run }: NonNullable<World['interface']['trials']>[number],
  client: Client,
  world: World,
): Promise<readonly Found[]> {
  const where = `${about}, client ${client.name}`;
  const assignment = assign(client, tag, world);
  if (assignment === undefined) return [skipped(where, `not tried: there is no subscriber ${tag} for it`)];
  return inCase({ id: `preflight ${about}`, assignment, tag }, world, async (ctx) => {
    try {
      const notes = await run(ctx);
      return notes.map((note) => ({ ...note, about: where, description: ctx.redactor.text(note.description) }));
    } catch (error) {
      if (!(error instanceof Unmet || error instanceof MissingValue)) throw error;
      return [skipped(where, `not tried: ${ctx.redactor.text(error.message)}`)];
    }
  });
}

/** Runs each trial of the target file's declarations with every registration it fits. */
export async function runTrials(world: World): Promise<readonly Found[]> {
  const notes: Found[] = [];
  for (const trial of world.interface.trials) {
    for (const client of world.target.clients) {
      if (whyNot(client, world) !== undefined || !trial.fits(client, world.target)) continue;
      notes.push(...(await tryOne(trial, client, world)));
    }
  }
  return notes;
}

const disproved = 'a Date that is off its own clock: a request dated by it was refused, and one dated by ours was not';

/** Distrusts the Date headers if a request dated by them is refused, and one dated by our clock is accepted. */
async function compare(ctx: CaseContext, isFreshAt: World['interface']['isFreshAt']): Promise<void> {
  const { world } = ctx;
  const { skew } = world;
  const edge = (skew.current()?.offset ?? 0) < 0 ? 'past' : 'future';
  const isAccepted = (): Promise<boolean> => isFreshAt(Math.floor(carrierNow(world) / 1000), edge, ctx);
  if (await isAccepted()) return;
  skew.disbelieve(disproved);
  let settled = false;
  try {
    settled = await isAccepted();
  } finally {
    if (!settled) skew.disbelieve(undefined);
  }
}

/** Tests the carrier's clock if its `Date` is off ours: a proxy may write that field from its own clock. */
export async function settleClock(world: World): Promise<void> {
  const { isFreshAt } = world.interface;
  const skew = world.timeline.kind === 'real' ? world.skew.current() : undefined;
  const [assignment] = world.target.clients.flatMap((client) =>
    whyNot(client, world) === undefined ? (assign(client, 'consented', world) ?? []) : [],
  );
  if (skew === undefined || !isOff(skew) || assignment === undefined) return;
  try {
    await inCase({ id: 'preflight clock', assignment }, world, async (ctx) => {
      await compare(ctx, isFreshAt);
      await awaitDenied(ctx);
    });
  } catch (error) {
    // A test that cannot be made settles nothing: the cases say why, and a stopped run has none.
    if (!(error instanceof Unmet || error instanceof MissingValue || error instanceof Interrupted)) throw error;
  }
}
