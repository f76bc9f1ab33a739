// The entities of the API by their names.
import type { components } from './schema.d.ts'

type Schemas = components['schemas']

export type Account = Schemas['Account']
export type AnnualReport = Schemas['AnnualReport']
export type AnnualReportState = Schemas['AnnualReportState']['state']
export type Collection = Schemas['Collection']
export type CollectionWithAccounts = Schemas['CollectionWithAccounts']
export type CredentialAccount = Schemas['CredentialAccount']
export type CustomEmoji = Schemas['CustomEmoji']
export type DeletedStatus = Schemas['DeletedStatus']
export type FeaturedTag = Schemas['FeaturedTag']
export type Filter = Schemas['Filter']
export type Instance = Schemas['Instance']
export type List = Schemas['List']
export type MediaAttachment = Schemas['MediaAttachment']
export type Poll = Schemas['Poll']
export type Preferences = Schemas['Preferences']
export type PreviewCard = Schemas['PreviewCard']
export type Quote = Schemas['Quote']
export type Profile = Schemas['Profile']
export type Relationship = Schemas['Relationship']
export type ScheduledStatus = Schemas['ScheduledStatus']
/** The API types the status in `reblog` apart, as it is no boost itself. In all else it has the same members. */
export type Status = Schemas['Status']
export type StatusEdit = Schemas['StatusEdit']
export type StatusMention = Schemas['Status_Mention']
export type Tag = Schemas['Tag']
export type Translation = Schemas['Translation']
export type UseHistory = Schemas['UseHistory']
export type Suggestion = Schemas['Suggestion']
export type Announcement = Schemas['Announcement']
export type Conversation = Schemas['Conversation']
/** Browsers get the id as a string. */
export type NotificationGroup = Schemas['NotificationGroup'] & { most_recent_notification_id: string }
export type NotificationPolicy = Schemas['NotificationPolicy']
export type NotificationRequest = Schemas['NotificationRequest']
