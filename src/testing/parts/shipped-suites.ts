import { loadSuiteFolders } from '../../suite/load.ts';
import { tamperNames } from '../../wire/build/tamper.ts';
import { testedInterface } from './tested-interface.ts';

let loaded: ReturnType<typeof loadSuiteFolders> | undefined;

/** The suites that ship, and their mistakes. Parsing them takes seconds, so each worker does it once. */
export const loadShipped = () =>
  (loaded ??= loadSuiteFolders({ dirs: ['suites'], interface: testedInterface, tampers: tamperNames }));
