export const texts = {
  ID_MODAL_LECHO_ALERT_TITLE: 'Prüfen Sie Ihre Eingabe',
  ID_MODAL_LECHO_ALERT_TEXT:
    'Die Seite hat in diesem Feld einen anderen Text, als Sie beim Tippen gesehen haben. Sie sehen jetzt den Text der Seite. Soll Getipptes in diesem Feld sofort erscheinen, bevor die Seite geantwortet hat?',
  'local-echo.go-on': 'Sofort zeigen',
  'local-echo.wait': 'Auf die Seite warten',
  'local-echo.late': 'Die Seite hat diesen Text noch nicht erhalten',
};
