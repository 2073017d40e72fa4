import type { Client } from '../../model/target.ts';
import { MissingValue } from '../../model/template.ts';
import { Unmet, type World } from '../context/case-context.ts';
import { closeInboxes } from '../context/inbox.ts';
import { openContext } from '../context/open-context.ts';
import { caseOf } from './case.ts';
import { whyNot } from './clients.ts';
import { type Found, type Note, notesOf, skipped } from './note.ts';

type Trial = NonNullable<World['interface']['trials']>[number];

/** One trial of a registration; what it needs and is not there is no mistake. */
async function tryOne(trial: Trial, client: Client, world: World): Promise<readonly Found[]> {
  const { about, tag = 'consented' } = trial;
  const where = `${about}, client ${client.name}`;
  const subscriber = world.target.subscribers.find(({ tags, subs }) => tags.includes(tag) && subs[client.name]);
  if (subscriber === undefined) return [skipped(where, `not tried: there is no subscriber ${tag} for it`)];
  const ctx = openContext(world, {
    case: caseOf(`preflight ${about}`, client, { subscriber: tag }),
    assignment: { client, subscriber, second: undefined },
  });
  try {
    return (await trial.run(ctx)).map((found) => ({
      ...found,
      about: where,
      description: ctx.redactor.text(found.description),
    }));
  } catch (error) {
    if (!(error instanceof Unmet || error instanceof MissingValue)) throw error;
    return [skipped(where, `not tried: ${ctx.redactor.text(error.message)}`)];
  } finally {
    closeInboxes(ctx);
  }
}

/** Tries each declaration of the target file that can be tried, with every registration that it is about. */
export async function runTrials(world: World): Promise<readonly Note[]> {
  const found: Found[] = [];
  for (const trial of world.interface.trials ?? []) {
    const clients = world.target.clients.filter(
      (client) => whyNot(client, world) === undefined && trial.fits(client, world.target),
    );
    for (const client of clients) found.push(...(await tryOne(trial, client, world)));
  }
  return notesOf('declarations', found);
}
