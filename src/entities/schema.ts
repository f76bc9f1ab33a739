import Type, { type TSchema } from 'typebox'

/** What the API calls nullable. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
/** A date and time with milliseconds and `Z`. */
export const DateTime = Type.String({ format: 'date-time' })
export const Id = Type.String({ pattern: '^[0-9]+$' })
/** The empty object of actions that have nothing to say. */
export const Empty = Type.Object({}, { $id: 'Empty' })
