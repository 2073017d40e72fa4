import { availableParallelism } from 'node:os';
import process from 'node:process';
import { describeFleet } from '../../testing/fleet/describe.ts';

/** FLEET_SEED draws another fleet. */
const { FLEET_SEED: seed = '20261125' } = process.env;

describeFleet({ seed, carriers: 50, faulty: 10, processes: availableParallelism(), timeLimit: 20 * 60_000 });
