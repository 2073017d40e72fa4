import type { RunnableInterface } from '../engine/context/case-context.ts';
import { serverInitiated } from '../interfaces/server-initiated/interface.ts';

/** The interface that tests of the kernel run with. */
export const certified: RunnableInterface = serverInitiated;
