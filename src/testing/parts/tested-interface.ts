import type { RunnableInterface } from '../../engine/context/case-context.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';

/** Interface with which tests of the kernel run. */
export const testedInterface: RunnableInterface = serverInitiated;
