import { describeFleet } from '../../testing/fleet/describe.ts';

// That of 50 carriers takes minutes: fleet.fleet.test.ts.
describeFleet({ seed: '20261125', carriers: 4, faulty: 2, processes: 2, timeLimit: 60_000 });
