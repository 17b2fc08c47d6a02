import type { Schemas } from '../../build/api.js';

export type SubmissionBody = Schemas['SubmissionDto'];
export type SubmissionListBody = Schemas['SubmissionListDto'];

/** Address of a form's submissions in the API. */
export const pathOf = ({ identifier }: { identifier: string }) => `/api/v1/forms/${identifier}/submissions` as const;
