import { threadId } from 'node:worker_threads';
import { createCarrier } from '../../carrier/create-carrier.ts';
import { idleRun } from '../../engine/idle-run.ts';
import { slimmed, tryCases, type TriedCases } from '../../explore/try-cases.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { thisTool } from '../../setup/program.ts';
import type { Suites } from '../../suite/suites.ts';
import { tamperNames } from '../../wire/build/tamper.ts';
import { inPlace } from '../place.ts';
import type { TrialJob, TrialSettings } from './job.ts';

type TryHere = (job: TrialJob) => Promise<TriedCases>;

/** A reference carrier of this thread, which lives as long as the thread, and cases that are tried against it. */
export const openHere = (suites: Suites, { folder, faults }: TrialSettings): Promise<TryHere> =>
  inPlace(folder, async (place) => {
    const { options: ofCarrier, target } = place.prepare(undefined);
    await createCarrier({ ...ofCarrier, clock: 'virtual', faults });
    const idle = idleRun({ interface: serverInitiated, suites, target, profile: 'interface', tool: thisTool() });
    const options = { ...idle, journal: `${folder}/explored-${threadId}.jsonl` };
    return async ({ cases }) => slimmed(await tryCases(cases, { options, tampers: tamperNames }));
  });
