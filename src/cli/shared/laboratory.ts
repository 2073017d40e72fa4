import { memoizeByObject } from '../../lib/lists.ts';

// The only door to the laboratory, beside the commands `prove` and `explore`: a command that names no fault loads none of it.

/** Loads the faults and variants of the reference carrier. */
export const loadFaults = () => import('../../lab/catalogue.ts');
/** Loads the golden matrix of faults. */
export const loadMatrix = () => import('../../lab/prove/matrix.ts');
const loadFreedoms = () => import('../../lab/space/freedoms.ts');

type FaultModule = Awaited<ReturnType<typeof loadFaults>>;
type FreedomModule = Awaited<ReturnType<typeof loadFreedoms>>;
type MatrixModule = Awaited<ReturnType<typeof loadMatrix>>;
export type LabFault = FaultModule['faultCatalogue'][number];
export type LabFreedom = ReturnType<FreedomModule['readFreedoms']>[number];

/** Rows of the golden matrix, by the name of the fault. */
export type LabMatrix = ReturnType<MatrixModule['readGoldenMatrix']>['rows'];

/** The part of the laboratory that `list` and `explain` show. */
export interface Laboratory extends Pick<MatrixModule, 'readGoldenMatrix' | 'faultsByJudge' | 'redIds'> {
  readonly faults: readonly LabFault[];
  readonly variants: FaultModule['variants'];
  readonly readFreedoms: () => readonly LabFreedom[];
  /** Parts of the carrier's definition that a fault changes. */
  readonly changedParts: (fault: LabFault) => readonly { readonly kind: string; readonly name: string }[];
}

export async function openLaboratory(): Promise<Laboratory> {
  const [{ faultCatalogue, variants }, { readFreedoms }, { changedParts }, matrix] = await Promise.all([
    loadFaults(),
    loadFreedoms(),
    import('../../lab/changed-parts.ts'),
    loadMatrix(),
  ]);
  return {
    faults: faultCatalogue,
    variants,
    readFreedoms,
    readGoldenMatrix: matrix.readGoldenMatrix,
    faultsByJudge: matrix.faultsByJudge,
    redIds: matrix.redIds,
    changedParts: memoizeByObject((fault) => changedParts(fault)),
  };
}
